import { ParseError } from '../reader/parse-error.ts';
import { startJobThread } from '../threads/job-thread.ts';
import { createThreadPool, type JobThread } from '../threads/thread-pool.ts';
import type { SelectedPages } from './selected-pages.ts';
import type { FromSplitThread, ToSplitThread } from './split-worker.ts';

interface SplitJob extends SelectedPages {
  onFile: (file: Uint8Array, index: number) => void | Promise<void>;
  signal: AbortSignal | undefined;
}

const MILLISECONDS = 120_000;
const pool = createThreadPool({ startThread, size: 1, idleMilliseconds: 1_000 });

/** Whether pages of such a document can become documents of their own. */
export function canSplit(mimeType: string): boolean {
  return mimeType === 'application/pdf';
}

/**
 * Makes one PDF for each part of a PDF, in a worker thread that is stopped at the time limit. One file after the other goes to
 * `onFile`, and the next is made when that has ended, so that no more than one is in memory.
 *
 * @param input `parts` has the pages of each part, counted from 1.
 * @throws {ParseError} when the file is damaged, protected or takes longer than two minutes. Rejects with the error of `onFile`
 * when that fails.
 *
 * @example
 * ```ts
 * import { readFile, writeFile } from 'node:fs/promises';
 * import { extractPages } from '@docwright/documents';
 *
 * const bytes = await readFile('invoices.pdf');
 * await extractPages({
 *   bytes,
 *   parts: [[1, 2], [3]],
 *   onFile: (file, index) => writeFile(`invoice-${index + 1}.pdf`, file),
 * });
 * ```
 */
export async function extractPages(input: Omit<SplitJob, 'signal'> & { signal?: AbortSignal }): Promise<void> {
  await pool.run({ signal: undefined, ...input });
}

function startThread(): JobThread<SplitJob, void> {
  return startJobThread<SplitJob, ToSplitThread, FromSplitThread, void>({
    script: new URL('./split-worker.ts', import.meta.url),
    heapMegabytes: 512,
    crash: {
      outOfMemory: 'Splitting this document needs more memory than the limit.',
      other: 'This document crashed the program that splits it.',
    },
    handler({ bytes: given, parts, onFile }, job) {
      let timer: NodeJS.Timeout | undefined;
      let left = MILLISECONDS;
      let startedAt = 0;
      let files = 0;
      const startTimer = (): void => {
        const message = `Splitting this document was stopped after ${MILLISECONDS / 1000} seconds.`;
        startedAt = performance.now();
        timer = setTimeout(() => job.kill(new ParseError('parse_timeout', message)), left);
      };
      const stopTimer = (): void => {
        clearTimeout(timer);
        left -= performance.now() - startedAt;
      };
      const receiveFile = async (file: Uint8Array): Promise<void> => {
        // What `onFile` takes is not the file's fault.
        stopTimer();
        await onFile(file, files);
        files += 1;
        if (job.isFinished) return;
        startTimer();
        job.send({ type: 'file_taken' });
      };
      return {
        start() {
          startTimer();
          const bytes = new Uint8Array(given);
          job.send({ type: 'split', bytes, parts }, [bytes.buffer]);
        },
        receive(answer) {
          if (answer.type === 'file') receiveFile(answer.bytes).catch((error: unknown) => job.kill(error));
          else if (answer.type === 'done') job.done(undefined, answer);
          else job.failed(answer);
        },
        finish: () => clearTimeout(timer),
      };
    },
  });
}
