import { ParseError } from '../reader/parse-error.ts';
import { startJobThread } from '../threads/job-thread.ts';
import { createThreadPool, type JobThread } from '../threads/thread-pool.ts';
import type { LockedFile, SelectedPages } from './selected-pages.ts';
import type { FromSplitThread, ToSplitThread } from './split-worker.ts';

/** What the thread makes of a file: its parts, or the file without its password. */
type SplitTask = ({ type: 'split' } & SelectedPages) | ({ type: 'unlock' } & LockedFile);

interface SplitJob {
  task: SplitTask;
  onFile: (file: Uint8Array, index: number) => void | Promise<void>;
  signal: AbortSignal | undefined;
}

const maxMilliseconds = 120_000;
const pool = createThreadPool({ startThread, size: 1, idleMilliseconds: 1_000 });

/**
 * Whether documents of a MIME type can be split.
 *
 * @example
 * ```ts
 * import { canSplit } from '@docwright/documents';
 *
 * console.log(canSplit('application/pdf'), canSplit('image/tiff')); // true false
 * ```
 */
export function canSplit(mimeType: string): boolean {
  return mimeType === 'application/pdf';
}

/**
 * Makes one PDF for each part of a PDF, in a worker thread that is stopped at the time limit. `onFile` gets one file after
 * another. The next one is made when its promise has resolved, so that one file at a time is in memory.
 *
 * @param input `bytes` is the whole file. `parts` has the pages of each part in their new order, counted from 1.
 * @throws {ParseError} if the file is damaged, protected or takes longer than two minutes. Rejects with the error of `onFile`
 * if that fails, and with the signal's reason on an abort.
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
export async function extractPages({
  onFile,
  signal,
  ...pages
}: SelectedPages & { onFile: SplitJob['onFile']; signal?: AbortSignal }): Promise<void> {
  await pool.run({ task: { type: 'split', ...pages }, onFile, signal });
}

/**
 * Makes a copy of a PDF that needs no password, in a worker thread that is stopped at the time limit. A PDF that opens
 * without one stays as it is.
 *
 * @param input `bytes` is the whole file, `password` that of its user or owner.
 * @throws {ParseError} `wrong_file_password` if it is not the password, another code if the file cannot be read.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises';
 * import { unlockPdf } from '@docwright/documents';
 *
 * const open = await unlockPdf({ bytes: await readFile('statement.pdf'), password: 'of the statement' });
 * console.log(open.length);
 * ```
 */
export async function unlockPdf(input: LockedFile & { signal?: AbortSignal }): Promise<Uint8Array> {
  const { bytes, password, signal } = input;
  const made: Uint8Array[] = [];
  await pool.run({ task: { type: 'unlock', bytes, password }, onFile: (file) => void made.push(file), signal });
  return made[0]!;
}

function startThread(memoryBytes: number): JobThread<SplitJob, void> {
  return startJobThread<SplitJob, ToSplitThread, FromSplitThread, void>({
    script: new URL('./split-worker.ts', import.meta.url),
    memoryBytes,
    crash: {
      outOfMemory: 'Splitting this document needs more memory than the limit.',
      other: 'This document crashed the program that splits it.',
    },
    handler({ task, onFile }, job) {
      let timer: NodeJS.Timeout | undefined;
      let remaining = maxMilliseconds;
      let startedAt = 0;
      let files = 0;
      const startTimer = (): void => {
        const message = `Splitting this document was stopped after ${maxMilliseconds / 1000} seconds.`;
        startedAt = performance.now();
        timer = setTimeout(() => job.kill(new ParseError('parse_timeout', message)), remaining);
      };
      const stopTimer = (): void => {
        clearTimeout(timer);
        remaining -= performance.now() - startedAt;
      };
      const receiveFile = async (part: Uint8Array): Promise<void> => {
        // The time of `onFile` does not count.
        stopTimer();
        await onFile(part, files);
        files += 1;
        if (job.isFinished) return;
        startTimer();
        job.send({ type: 'file_taken' });
      };
      return {
        start() {
          startTimer();
          const bytes = new Uint8Array(task.bytes);
          job.send({ ...task, bytes }, [bytes.buffer]);
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
