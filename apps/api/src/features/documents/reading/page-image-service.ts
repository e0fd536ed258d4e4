import type { PageImage, PageRegion } from '@docwright/agent-core';
import { DomainError, type Document } from '@docwright/contract';
import { canDraw, ParseError, type drawPage, type DocumentMimeType, type Word } from '@docwright/documents';
import { LruMap } from 'toad-cache';
import type { FileRepository } from '../files/file-repository.ts';
import type { PageRepository } from './page-repository.ts';

/** A page as a browser shows it until it has drawn the page itself. */
export interface ScreenPicture {
  bytes: Uint8Array;
  mimeType: string;
}

/** Draws pages of documents. Callers check the right to read them. */
export type PageImages = ReturnType<ReturnType<typeof createPageImages>>;

const maxBytes = 1_000_000;
/** Letters can be read on it, and a slow line has it within half a second. */
const screen = { longestSide: 1100, maxBytes: 60_000 };
/** Images in memory, of all documents: a conversation sends the same one with each request. */
const maxCachedImages = 16;
const cacheMs = 10 * 60_000;
/** The letter height in pixels that models need to read reliably. */
const letterPixels = 14;
/** Pixels of the longer side. */
const [minSide, maxSide, defaultSide] = [1000, 2000, 1600];

export function createPageImages(dependencies: {
  files: Pick<FileRepository, 'read'>;
  pagesOf: (organizationId: string) => Pick<PageRepository, 'words'>;
  draw: typeof drawPage;
}) {
  const { files, pagesOf, draw } = dependencies;
  const cache = new LruMap<Promise<PageImage>>(maxCachedImages, cacheMs);
  const screenCache = new LruMap<Promise<ScreenPicture>>(maxCachedImages, cacheMs);

  /** `size` decides the pixels of the longer side once the page is known to exist. */
  async function drawUncached(
    { document, fileId, pageNumber, region }: Parameters<PageImages['draw']>[0],
    size: () => Promise<{ longestSide: number; maxBytes: number }>,
  ): Promise<Awaited<ReturnType<typeof drawPage>>> {
    const { mime_type, page_count } = document;
    if (!canDraw(mime_type)) {
      const message = 'Pages of this kind of file have no image. Read their text.';
      throw new DomainError('conflict', 'no_page_image', message);
    }
    if (page_count !== null && pageNumber > page_count) {
      const message = `The document has ${page_count} pages; there is no page ${pageNumber}.`;
      throw new DomainError('not_found', 'page_not_found', message);
    }
    const limits = await size();
    try {
      const bytes = await files.read(fileId);
      return await draw({ bytes, mimeType: mime_type as DocumentMimeType, pageNumber, part: region, ...limits });
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      throw new DomainError('conflict', 'page_not_drawn', error.message);
    }
  }

  async function drawForModel(organizationId: string, input: Parameters<PageImages['draw']>[0]): Promise<PageImage> {
    const { bytes, mimeType, width, height } = await drawUncached(input, async () => {
      const page = await pagesOf(organizationId).words(input.document.id, input.pageNumber);
      return { longestSide: input.region === undefined && page !== undefined ? sideFor(page) : defaultSide, maxBytes };
    });
    return { url: `data:${mimeType};base64,${Buffer.from(bytes).toString('base64')}`, width, height };
  }

  return (organizationId: string) => ({
    /** A small picture of a whole page. Throws the same. */
    async forScreen(input: { document: Document; fileId: string; pageNumber: number }): Promise<ScreenPicture> {
      const key = [organizationId, input.fileId, input.pageNumber].join('/');
      const cached = screenCache.get(key);
      if (cached !== undefined) return cached;
      const picture = drawUncached(input, async () => screen);
      screenCache.set(key, picture);
      picture.catch(() => screenCache.delete(key));
      return picture;
    },
    /** Throws `no_page_image` for a file type without page images, `page_not_found`, `page_not_drawn`. */
    async draw(input: {
      document: Document;
      fileId: string;
      pageNumber: number;
      region?: PageRegion | undefined;
    }): Promise<PageImage> {
      const { x0 = 0, y0 = 0, x1 = 1, y1 = 1 } = input.region ?? {};
      const key = [organizationId, input.fileId, input.pageNumber, x0, y0, x1, y1].join('/');
      const cached = cache.get(key);
      if (cached !== undefined) return cached;
      const image = drawForModel(organizationId, input);
      cache.set(key, image);
      image.catch(() => cache.delete(key));
      return image;
    },
  });
}

/** Pixels of the longer side at which ordinary letters of the page are `letterPixels` high. */
function sideFor({ width, height, words }: { width: number; height: number; words: readonly Word[] }): number {
  const heights = words.map(({ y0, y1 }) => y1 - y0).toSorted((a, b) => a - b);
  const letter = heights[Math.floor(heights.length / 3)];
  if (letter === undefined || letter <= 0) return defaultSide;
  const side = (Math.max(width, height) * letterPixels) / letter;
  // Rounded, so that a page whose text is read again gets the same image.
  return Math.min(maxSide, Math.max(minSide, Math.ceil(side / 100) * 100));
}
