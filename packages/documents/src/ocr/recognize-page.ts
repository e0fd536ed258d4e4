import { availableParallelism, totalmem } from 'node:os';
import type { DocumentMimeType } from '../reader/document-mime-type.ts';
import { ParseError } from '../reader/parse-error.ts';
import { startJobThread } from '../threads/job-thread.ts';
import { createThreadPool, type JobThread } from '../threads/thread-pool.ts';
import type { OcrEngine } from './choose-engine.ts';
import type { OcrLanguage } from './engine/ocr-language.ts';
import type { OcrAnswer, OcrRequest } from './ocr-worker.ts';
import type { RecognizedPage } from './read-page-image.ts';

/** A page to recognise. */
export interface RecognizeInput {
  /** The whole document. */
  bytes: Uint8Array;
  mimeType: DocumentMimeType;
  /** Page number, from 1. */
  pageNumber: number;
  /** The language of the previous page, as a first guess. */
  likelyLanguage?: OcrLanguage | undefined;
  /** Default: `auto`. */
  engine?: OcrEngine;
  /** Folder of PP-OCR's models; without them `auto` is Tesseract alone. */
  modelsFolder?: string | undefined;
  signal?: AbortSignal;
  /** Wall-clock limit of the page in milliseconds, without the wait for a free worker. Default: 180,000. */
  milliseconds?: number;
}

const defaultMilliseconds = 180_000;
const maxThreads = 4;
/** A thread uses one core and up to half a gigabyte, and leaves the rest to the process. */
const coresPerThread = 2;
const bytesPerThread = 4 * 1024 ** 3;

/** Number of pages that this process recognises concurrently, from its cores and memory. */
export const recognitionConcurrency = Math.max(
  1,
  Math.min(maxThreads, Math.floor(availableParallelism() / coresPerThread), Math.floor(totalmem() / bytesPerThread)),
);

const pool = createThreadPool({ startThread: startOcrThread, size: recognitionConcurrency, idleMilliseconds: 20_000 });

/**
 * Recognises (OCR) the visible text of one page of a PDF or a picture, in a worker thread. The thread is stopped at the
 * time limit and when it is idle. Language data is loaded on first use, from packages and never from the network.
 *
 * @param input `bytes` is the whole document; `pageNumber` counts from 1.
 * @returns The page with its words in points, origin top left, and each recognised word's confidence from 0 to 1.
 * @throws {ParseError} when the page is damaged, too large or takes too long. Rejects with the signal's reason on an
 * abort.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { recognizePage } from '@docwright/documents';
 *
 * const bytes = await readFile('receipt.jpg');
 * const { page, language } = await recognizePage({ bytes, mimeType: 'image/jpeg', pageNumber: 1 });
 * console.log(language, page.text);
 * ```
 */
export function recognizePage(input: RecognizeInput): Promise<RecognizedPage> {
  const { bytes, mimeType, pageNumber, likelyLanguage, engine = 'auto', modelsFolder, signal } = input;
  const milliseconds = input.milliseconds ?? defaultMilliseconds;
  return pool.run({ bytes, mimeType, pageNumber, likelyLanguage, engine, modelsFolder, signal, milliseconds });
}

interface OcrJob extends OcrRequest {
  /** Wall-clock limit in milliseconds, without the wait for a free thread. */
  milliseconds: number;
  signal: AbortSignal | undefined;
}

/** One thread that recognises one page at a time. */
function startOcrThread(memoryBytes: number): JobThread<OcrJob, RecognizedPage> {
  return startJobThread<OcrJob, OcrRequest, OcrAnswer, RecognizedPage>({
    script: new URL('./ocr-worker.ts', import.meta.url),
    memoryBytes,
    crash: {
      outOfMemory: 'This page needs more memory than the limit. Scan it again at a lower resolution and upload that.',
      other: 'This page crashed its reader. Save the document again and upload that.',
    },
    handler({ bytes: file, mimeType, pageNumber, likelyLanguage, engine, modelsFolder, milliseconds }, job) {
      let timer: NodeJS.Timeout | undefined;
      return {
        start() {
          timer = setTimeout(() => job.kill(timeout(milliseconds)), milliseconds);
          const bytes = new Uint8Array(file);
          job.send({ bytes, mimeType, pageNumber, likelyLanguage, engine, modelsFolder }, [bytes.buffer]);
        },
        receive(answer) {
          if (answer.type === 'done') job.done(answer.recognized, answer);
          else job.failed(answer);
        },
        finish: () => clearTimeout(timer),
      };
    },
  });
}

function timeout(milliseconds: number): ParseError {
  const seconds = Math.round(milliseconds / 1000);
  return new ParseError(
    'parse_timeout',
    `Reading this page was stopped after ${seconds} seconds. Scan it at a lower resolution and upload that.`,
  );
}
