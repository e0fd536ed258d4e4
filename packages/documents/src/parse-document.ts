import { availableParallelism } from 'node:os';
import type { DocumentMimeType } from './document-mime-type.ts';
import type { Page } from './page.ts';
import { defaultParseLimits, type ParseLimits } from './parse-limits.ts';
import { createThreadPool } from './worker/thread-pool.ts';
import { startParserThread } from './worker/parser-thread.ts';

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

/** At least two, so that one slow document does not hold up all others; few, since each takes 100 MB and a core. */
const pool = createThreadPool({
  startThread: startParserThread,
  size: Math.min(4, Math.max(2, availableParallelism() - 1)),
  idleMilliseconds: 10_000,
});

/**
 * Reads the pages of a document in a worker thread that can be killed, so that the caller's thread stays free and a
 * hostile file takes nothing else down. Rejects with `ParseError`, with what `onPage` threw, or with the signal's reason.
 */
export async function parseDocument(input: ParseInput): Promise<ParsedDocument> {
  const { onPage, keepPages = true, signal, bytes, mimeType } = input;
  const pages: Page[] = [];
  const page_count = await pool.run({
    bytes,
    mimeType,
    signal,
    limits: { ...defaultParseLimits, ...input.limits },
    onPage: (page, pageCount) => {
      if (keepPages) pages.push(page);
      return onPage?.(page, pageCount);
    },
  });
  return { page_count, pages };
}
