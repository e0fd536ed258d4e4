import { createHash } from 'node:crypto';
import { imageSize } from 'image-size';
import { gridPages, pagesOfLines } from '../grid/grid-pages.ts';
import { imagePage } from '../page/image-page.ts';
import type { Page } from '../page/page.ts';
import type { UnreadPart } from '../page/unread.ts';
import type { OpenedDocument } from '../reader/document-reader.ts';
import type { Block, PictureBlock } from './block.ts';
import { layOutBlocks } from './block-lines.ts';

/** What else a reader found beside the text. */
export interface FlowFindings {
  hiddenText?: number;
  unread?: UnreadPart[];
}

/** A picture with fewer pixels on a side holds no text that anyone could read. */
const minSide = 24;
const minArea = 4_000;
/** More pictures are named and not recognised. */
const maxPictures = 20;
const recognisedTypes = new Set(['png', 'jpg', 'webp', 'tiff', 'bmp', 'gif', 'avif']);

/**
 * A document of text that flows. Its lines are computed here, because only the program that made the file knows the real
 * ones. A picture that can hold text is a page of its own, at its place, which waits for recognition.
 */
export function flowDocument(
  blocks: readonly Block[],
  { hiddenText = 0, unread = [] }: FlowFindings = {},
): OpenedDocument {
  const notRead = [...unread];
  const pages: ({ lines: string[] } | { picture: Uint8Array; width: number; height: number })[] = [];
  const seen = new Set<string>();
  let pictures = 0;
  for (const part of layOutBlocks(blocks)) {
    if (part.kind === 'lines') {
      if (part.lines.some((line) => line.trim() !== ''))
        pages.push(...pagesOfLines(part.lines).map((lines) => ({ lines })));
      continue;
    }
    const size = sizeOf(part);
    if (size === 'unknown') notRead.push(unreadPicture(part, 'picture', 'is of a kind that cannot be recognised'));
    else if (size.width >= minSide && size.height >= minSide && size.width * size.height >= minArea) {
      // A logo that is on each page is read once.
      const key = createHash('sha1').update(part.bytes).digest('hex');
      if (seen.has(key)) continue;
      seen.add(key);
      pictures += 1;
      if (pictures > maxPictures) notRead.push(unreadPicture(part, 'picture_skipped', `follows ${maxPictures} others`));
      else pages.push({ picture: part.bytes, ...size });
    }
  }
  if (pages.length === 0) pages.push({ lines: [] });
  return {
    pageCount: pages.length,
    pages: flowPages(pages, hiddenText),
    unread: notRead,
    pictureOf(pageNumber) {
      const page = pages[pageNumber - 1];
      return page !== undefined && 'picture' in page ? page.picture : undefined;
    },
  };
}

function* flowPages(
  pages: readonly ({ lines: string[] } | { width: number; height: number })[],
  hiddenText: number,
): Generator<Page> {
  for (const [index, page] of pages.entries()) {
    const hidden = index === 0 ? hiddenText : 0;
    if ('lines' in page) {
      for (const built of gridPages([page.lines], hidden)) yield { ...built, page_num: index + 1 };
    } else yield { ...imagePage(index + 1, page.width, page.height), hidden_text: hidden };
  }
}

function sizeOf({ bytes }: PictureBlock): { width: number; height: number } | 'unknown' {
  try {
    const { width, height, type = '', orientation = 1 } = imageSize(bytes);
    if (!recognisedTypes.has(type)) return 'unknown';
    return orientation >= 5 ? { width: height, height: width } : { width, height };
  } catch {
    return 'unknown';
  }
}

function unreadPicture({ name }: PictureBlock, kind: 'picture' | 'picture_skipped', reason: string): UnreadPart {
  return { kind, name, message: `A picture was not read: it ${reason}.` };
}
