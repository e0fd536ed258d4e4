import { availableParallelism, totalmem } from 'node:os';
import type { DocumentMimeType } from './document-mime-type.ts';
import { startOcrThread } from './ocr/ocr-thread.ts';
import type { OcrLanguage } from './ocr/ocr-language.ts';
import type { RecognizedPage } from './ocr/read-page-image.ts';
import { createThreadPool } from './worker/thread-pool.ts';

export interface RecognizeInput {
  /** The whole document. */
  bytes: Uint8Array;
  mimeType: DocumentMimeType;
  /** Counts from 1. */
  pageNumber: number;
  /** What the pages before were written in. */
  likelyLanguage?: OcrLanguage | undefined;
  signal?: AbortSignal;
  /** Wall-clock time that the page may take once its turn has come. */
  milliseconds?: number;
}

const PAGE_MILLISECONDS = 180_000;
const GIGABYTE = 1024 ** 3;
/** Cores and memory that one thread should find; it takes one core and up to half a gigabyte. */
const [CORES_EACH, MEMORY_EACH, MOST_THREADS] = [2, 4 * GIGABYTE, 4];

/** Pages that this process recognises side by side. */
export const pagesAtOnce = Math.max(
  1,
  Math.min(MOST_THREADS, Math.floor(availableParallelism() / CORES_EACH), Math.floor(totalmem() / MEMORY_EACH)),
);

const pool = createThreadPool({ startThread: startOcrThread, size: pagesAtOnce, idleMilliseconds: 20_000 });

/**
 * Reads what can be seen on one page of a PDF or a picture, in a worker thread that can be killed and ends when it is
 * idle. Nothing is loaded before the first page, and nothing comes from the network. Rejects with `ParseError`, or with
 * the signal's reason.
 */
export function recognizePage(input: RecognizeInput): Promise<RecognizedPage> {
  const { bytes, mimeType, pageNumber, likelyLanguage, signal, milliseconds = PAGE_MILLISECONDS } = input;
  return pool.run({ bytes, mimeType, pageNumber, likelyLanguage, signal, milliseconds });
}
