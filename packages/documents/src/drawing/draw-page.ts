import { pictureTypes } from '@docwright/contract';
import { ParseError } from '../reader/parse-error.ts';
import { startJobThread } from '../threads/job-thread.ts';
import { createThreadPool, type JobThread } from '../threads/thread-pool.ts';
import type { PagePicture, PictureRequest } from './page-picture.ts';
import type { PictureAnswer } from './picture-worker.ts';

/** A page to draw. */
export interface DrawInput extends Pick<PictureRequest, 'bytes' | 'mimeType' | 'pageNumber' | 'part'> {
  /** Pixels of the longer side. Default: 1,600. A scan with fewer is not enlarged. */
  longestSide?: number;
  /** Default: 1,000,000. */
  maxBytes?: number;
  signal?: AbortSignal;
}

interface PictureJob extends PictureRequest {
  signal: AbortSignal | undefined;
}

/** Types whose pages are images; pages of other types are text that their reader lays out. */
const drawableTypes: readonly string[] = ['application/pdf', ...pictureTypes];
const maxMilliseconds = 30_000;
const pool = createThreadPool({ startThread, size: 1, idleMilliseconds: 20_000 });

/**
 * Whether pages of documents of a MIME type can be drawn.
 *
 * @example
 * ```ts
 * import { canDraw } from '@docwright/documents';
 *
 * console.log(canDraw('application/pdf'), canDraw('text/csv')); // true false
 * ```
 */
export function canDraw(mimeType: string): boolean {
  return drawableTypes.includes(mimeType);
}

/**
 * Draws one page of a PDF or a scan, in a worker thread that is stopped at the time limit and when it is idle.
 *
 * @param input `bytes` is the whole document; `pageNumber` counts from 1; `part` is in fractions 0–1 of the page.
 * @returns A picture of at most `maxBytes`: the scan itself if it fits, otherwise a JPEG.
 * @throws {ParseError} when the page is damaged, too large or takes longer than 30 seconds. Rejects with the signal's
 * reason on an abort.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { drawPage } from '@docwright/documents';
 *
 * const bytes = await readFile('invoice.pdf');
 * const part = { x0: 0, y0: 0, x1: 1, y1: 0.3 };
 * const picture = await drawPage({ bytes, mimeType: 'application/pdf', pageNumber: 1, part });
 * console.log(picture.width, picture.height);
 * ```
 */
export function drawPage(input: DrawInput): Promise<PagePicture> {
  const { longestSide = 1600, maxBytes = 1_000_000, signal, part, ...page } = input;
  return pool.run({ ...page, part, longestSide, maxBytes, signal });
}

function startThread(memoryBytes: number): JobThread<PictureJob, PagePicture> {
  return startJobThread<PictureJob, PictureRequest, PictureAnswer, PagePicture>({
    script: new URL('./picture-worker.ts', import.meta.url),
    memoryBytes,
    crash: {
      outOfMemory: 'Drawing this page needs more memory than the limit.',
      other: 'This page crashed the program that draws it.',
    },
    handler({ bytes: file, mimeType, pageNumber, part, longestSide, maxBytes }, job) {
      let timer: NodeJS.Timeout | undefined;
      return {
        start() {
          timer = setTimeout(() => job.kill(timeout()), maxMilliseconds);
          const bytes = new Uint8Array(file);
          job.send({ bytes, mimeType, pageNumber, part, longestSide, maxBytes }, [bytes.buffer]);
        },
        receive(answer) {
          if (answer.type === 'done') job.done(answer.picture, answer);
          else job.failed(answer);
        },
        finish: () => clearTimeout(timer),
      };
    },
  });
}

function timeout(): ParseError {
  return new ParseError('parse_timeout', `Drawing this page was stopped after ${maxMilliseconds / 1000} seconds.`);
}
