import { gridPages, pagesOfLines } from '../grid/grid-pages.ts';
import { imagePage } from '../page/image-page.ts';
import type { Page } from '../page/page.ts';
import type { UnreadPart } from '../page/unread.ts';
import type { OpenedDocument } from '../reader/document-reader.ts';
import type { Block } from './block.ts';
import { layOutBlocks } from './block-lines.ts';
import { choosePictures, type PicturePage } from './picture-pages.ts';

/** What else a reader found beside the text. */
export interface FlowFindings {
  hiddenText?: number;
  unread?: UnreadPart[];
}

/**
 * A document of text that flows. Its lines are computed here, because only the program that made the file knows the real
 * ones. A picture that can hold text is a page of its own, at its place, which waits for recognition.
 */
export function flowDocument(
  blocks: readonly Block[],
  { hiddenText = 0, unread = [] }: FlowFindings = {},
): OpenedDocument {
  const notRead = [...unread];
  const pages: ({ lines: string[] } | PicturePage)[] = [];
  const pageOf = choosePictures(notRead);
  for (const part of layOutBlocks(blocks)) {
    if (part.kind === 'lines') {
      if (part.lines.some((line) => line.trim() !== ''))
        pages.push(...pagesOfLines(part.lines).map((lines) => ({ lines })));
      continue;
    }
    const page = pageOf(part);
    if (page) pages.push(page);
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
