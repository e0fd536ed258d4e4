import { ParseError } from '../parse-error.ts';
import { startJobThread } from '../worker/job-thread.ts';
import { createThreadPool, type JobThread } from '../worker/thread-pool.ts';
import type { SelectedPages } from './selected-pages.ts';
import type { SplitAnswer } from './split-worker.ts';

interface SplitJob extends SelectedPages {
  signal: AbortSignal | undefined;
}

const MILLISECONDS = 120_000;
const pool = createThreadPool({ startThread, size: 1, idleMilliseconds: 1_000 });

/** Whether pages of such a document can become documents of their own. */
export function canSplit(mimeType: string): boolean {
  return mimeType === 'application/pdf';
}

/**
 * Makes one PDF for each part of a PDF, in a worker thread that is stopped at the time limit.
 *
 * @param input `parts` has the pages of each part, counted from 1.
 * @throws {ParseError} when the file is damaged, protected or takes longer than two minutes.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { extractPages } from '@docwright/documents';
 *
 * const bytes = await readFile('invoices.pdf');
 * const [one, other] = await extractPages({ bytes, parts: [[1, 2], [3]] });
 * ```
 */
export function extractPages(input: SelectedPages & { signal?: AbortSignal }): Promise<Uint8Array[]> {
  return pool.run({ bytes: input.bytes, parts: input.parts, signal: input.signal });
}

function startThread(): JobThread<SplitJob, Uint8Array[]> {
  return startJobThread<SplitJob, SelectedPages, SplitAnswer, Uint8Array[]>({
    script: new URL('./split-worker.ts', import.meta.url),
    heapMegabytes: 512,
    crash: {
      outOfMemory: 'Splitting this document needs more memory than the limit.',
      other: 'This document crashed the program that splits it.',
    },
    handler({ bytes: given, parts }, job) {
      let timer: NodeJS.Timeout | undefined;
      return {
        start() {
          const message = `Splitting this document was stopped after ${MILLISECONDS / 1000} seconds.`;
          timer = setTimeout(() => job.kill(new ParseError('parse_timeout', message)), MILLISECONDS);
          const bytes = new Uint8Array(given);
          job.send({ bytes, parts }, [bytes.buffer]);
        },
        receive(answer) {
          if (answer.type === 'done') job.done(answer.files, answer);
          else job.failed(answer);
        },
        finish: () => clearTimeout(timer),
      };
    },
  });
}
