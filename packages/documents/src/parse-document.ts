import type { DocumentMimeType } from './document-mime-type.ts';
import type { Page } from './page.ts';
import type { ParseLimits } from './parse-limits.ts';

export interface ParseInput {
  bytes: Uint8Array;
  mimeType: DocumentMimeType;
  name: string;
  signal?: AbortSignal;
  /** Called for every page in order; a promise that it returns holds the parser back until it settles. */
  onPage?: (page: Page, pageCount: number) => void | Promise<void>;
  /** false: pages go to `onPage` only and `pages` of the answer stays empty, so that memory stays bounded. */
  keepPages?: boolean;
  limits?: Partial<ParseLimits>;
}

export interface ParsedDocument {
  page_count: number;
  pages: Page[];
}

/** Reads the pages of a document in a worker thread that can be killed. */
export function parseDocument(input: ParseInput): Promise<ParsedDocument> {
  return Promise.reject(new Error(`Not yet: ${input.name}`));
}
