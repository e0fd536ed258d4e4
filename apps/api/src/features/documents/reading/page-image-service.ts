import { DomainError, type Document } from '@docwright/contract';
import { canDraw, ParseError, type drawPage, type DocumentMimeType, type Word } from '@docwright/documents';
import { LruMap } from 'toad-cache';
import type { FileRepository } from '../files/file-repository.ts';
import type { PageRepository } from './page-repository.ts';

/** A part of a page in fractions 0–1 of its width and height, origin top left. */
export interface PageRegion {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface PageImage {
  /** A data URL, of an image of at most 1 MB. */
  url: string;
  width: number;
  height: number;
}

/** Draws pages of documents that somebody may read: that is checked before. */
export interface PageImages {
  /** `no_page_image` for a kind of file whose pages have no look of their own, `page_not_found`, `page_not_drawn`. */
  draw(input: {
    document: Document;
    fileId: string;
    pageNumber: number;
    region?: PageRegion | undefined;
  }): Promise<PageImage>;
}

const maxBytes = 1_000_000;
/** Images in memory, of all documents; a conversation shows the same one with each request. */
const cached = 16;
const cachedMs = 10 * 60_000;
/** Pixels of a letter's height: the least that models read surely. */
const letterPixels = 14;
const [coarsest, finest, usual] = [1000, 2000, 1600];

export function createPageImages(dependencies: {
  files: Pick<FileRepository, 'read'>;
  pagesOf: (organizationId: string) => Pick<PageRepository, 'words'>;
  draw: typeof drawPage;
}): (organizationId: string) => PageImages {
  const { files, pagesOf, draw } = dependencies;
  const known = new LruMap<Promise<PageImage>>(cached, cachedMs);

  async function drawn(
    organizationId: string,
    { document, fileId, pageNumber, region }: Parameters<PageImages['draw']>[0],
  ): Promise<PageImage> {
    const { id, mime_type, page_count } = document;
    if (!canDraw(mime_type)) {
      const message = 'Pages of this kind of file have no image. Read their text.';
      throw new DomainError('conflict', 'no_page_image', message);
    }
    if (page_count !== null && pageNumber > page_count) {
      const message = `The document has ${page_count} pages; there is no page ${pageNumber}.`;
      throw new DomainError('not_found', 'page_not_found', message);
    }
    const page = await pagesOf(organizationId).words(id, pageNumber);
    const longestSide = region === undefined && page !== undefined ? sideFor(page) : usual;
    try {
      const bytes = await files.read(fileId);
      const mimeType = mime_type as DocumentMimeType;
      const picture = await draw({ bytes, mimeType, pageNumber, part: region, longestSide, maxBytes });
      const data = Buffer.from(picture.bytes).toString('base64');
      return { url: `data:${picture.mimeType};base64,${data}`, width: picture.width, height: picture.height };
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      throw new DomainError('conflict', 'page_not_drawn', error.message);
    }
  }

  return (organizationId) => ({
    async draw(input) {
      const { x0 = 0, y0 = 0, x1 = 1, y1 = 1 } = input.region ?? {};
      const key = [organizationId, input.fileId, input.pageNumber, x0, y0, x1, y1].join('/');
      const before = known.get(key);
      if (before !== undefined) return before;
      const image = drawn(organizationId, input);
      known.set(key, image);
      image.catch(() => known.delete(key));
      return image;
    },
  });
}

/** Pixels of the longer side at which the page's ordinary letters are as high as they have to be. */
function sideFor({ width, height, words }: { width: number; height: number; words: readonly Word[] }): number {
  const heights = words.map(({ y0, y1 }) => y1 - y0).toSorted((a, b) => a - b);
  const letter = heights[Math.floor(heights.length / 3)];
  if (letter === undefined || letter <= 0) return usual;
  const side = (Math.max(width, height) * letterPixels) / letter;
  // In steps, so that a page whose text is read again does not look different.
  return Math.min(finest, Math.max(coarsest, Math.ceil(side / 100) * 100));
}
