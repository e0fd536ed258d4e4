import { availableParallelism } from 'node:os';
import type { MachineData } from '@docwright/contract';
import type { Page } from '../page/page.ts';
import type { UnreadPart } from '../page/unread.ts';
import type { DocumentMimeType } from '../reader/document-mime-type.ts';
import type { ContainedFile } from '../reader/document-reader.ts';
import { ParseError } from '../reader/parse-error.ts';
import { defaultParseLimits, type ParseLimits } from '../reader/parse-limits.ts';
import { readingMemory, type MemoryBudget } from '../threads/memory-budget.ts';
import { createThreadPool } from '../threads/thread-pool.ts';
import { startParserThread } from './parser-thread.ts';

/** A document to parse. */
export interface ParseInput {
  /** The whole file. */
  bytes: Uint8Array;
  mimeType: DocumentMimeType;
  signal?: AbortSignal;
  /** Called when a thread begins to read: until then the document waits for one. Called again for a second try. */
  onStart?: () => void;
  /** Called for every page in order. The parser waits for a promise that it returns. */
  onPage?: (page: Page, pageCount: number) => void | Promise<void>;
  /**
   * Called for each of the first `limits.files` files inside of the document, in order, after its pages: the attachments of a mail,
   * the files of an archive. The parser waits for a promise that it returns. A file can come twice, with the same `index`.
   */
  onFile?: (file: ContainedFile, index: number) => void | Promise<void>;
  /** Default: true. With false, pages go to `onPage` alone, so that memory is bounded. */
  keepPages?: boolean;
  limits?: Partial<ParseLimits>;
}

/** A parsed document. */
export interface ParsedDocument {
  page_count: number;
  /** In order; empty with `keepPages: false`. */
  pages: Page[];
  /** What could not be read and is on no page. That of a page is in the page. */
  unread: UnreadPart[];
  /** Its machine-readable data, such as an electronic invoice. */
  machine_data: MachineData[];
}

/**
 * Reads the pages of a document in a worker thread. A hostile file can neither block nor crash the calling thread,
 * because the worker is killed at a limit.
 *
 * @param input `bytes` is the whole file and `mimeType` its type, as `detectType` returns it. `limits` overrides single
 * values of `defaultParseLimits`; its times are milliseconds, its sizes bytes.
 * @returns The page count and the pages. Coordinates are points, origin top left.
 * @throws {ParseError} when the file cannot be read or is beyond a limit; its `code` names the reason. Rejects with the
 * error of `onPage` when that fails, and with the signal's reason on an abort.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { detectType, parseDocument } from '@docwright/documents';
 *
 * const bytes = await readFile('invoice.pdf');
 * const mimeType = await detectType(bytes, 'invoice.pdf');
 * const { page_count, pages } = await parseDocument({ bytes, mimeType });
 * console.log(page_count, pages[0]?.text);
 * ```
 */
export const parseDocument: (input: ParseInput) => Promise<ParsedDocument> = createDocumentParser(readingMemory);

/**
 * As `parseDocument`, in a single thread of its own: for files that nobody waits for, such as the archives of mails, so that
 * slow ones hold up no document.
 *
 * @example
 * ```ts
 * import { parseInBackground } from '@docwright/documents';
 *
 * declare const bytes: Uint8Array;
 * const { page_count } = await parseInBackground({ bytes, mimeType: 'application/zip' });
 * console.log(page_count);
 * ```
 */
export const parseInBackground: (input: ParseInput) => Promise<ParsedDocument> = createDocumentParser(readingMemory, 1);

/** Parses documents in threads of its own within a budget of memory. */
export function createDocumentParser(
  memory: MemoryBudget,
  // At least three, so that slow documents do not block all others; few, since each takes 100 MB and a core.
  size = Math.min(4, Math.max(3, availableParallelism() - 1)),
): (input: ParseInput) => Promise<ParsedDocument> {
  const pool = createThreadPool({
    startThread: startParserThread,
    memory,
    size,
    idleMilliseconds: 10_000,
  });
  /** For a document that burst the memory of its thread: it is tried once more, with all memory that others leave. */
  const alone = createThreadPool({
    startThread: startParserThread,
    memory,
    size: 1,
    idleMilliseconds: 0,
    isAlone: true,
  });
  return async ({ onStart, onPage, onFile, keepPages = true, signal, bytes, mimeType, ...input }) => {
    const pages: Page[] = [];
    let passed = 0;
    let files = 0;
    const job = {
      bytes,
      mimeType,
      signal,
      limits: { ...defaultParseLimits, ...input.limits },
      onStart,
      onPage: (page: Page, count: number) => {
        // The second try starts again at the first page.
        if (page.page_num <= passed) return undefined;
        passed = page.page_num;
        if (keepPages) pages.push(page);
        return onPage?.(page, count);
      },
      onFile: (file: ContainedFile) => {
        files += 1;
        return onFile?.(file, files - 1);
      },
    };
    const { pageCount, unread, machineData } = await pool.run(job).catch((error: unknown) => {
      if (!(error instanceof ParseError) || error.code !== 'parse_out_of_memory') throw error;
      files = 0;
      return alone.run(job);
    });
    return { page_count: pageCount, pages, unread, machine_data: machineData };
  };
}
