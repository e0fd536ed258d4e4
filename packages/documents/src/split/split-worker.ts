import { parentPort } from 'node:worker_threads';
import { failedAnswer, type FailedAnswer } from '../threads/failed-answer.ts';
import { selectPages, unlocked, type LockedFile, type SelectedPages } from './selected-pages.ts';

export type ToSplitThread =
  | ({ type: 'split' } & SelectedPages)
  | ({ type: 'unlock' } & LockedFile)
  /** The last file has been stored; the next one can be made. */
  | { type: 'file_taken' };

export type FromSplitThread = { type: 'file'; bytes: Uint8Array } | { type: 'done'; reusable: boolean } | FailedAnswer;

const port = parentPort;
if (!port) throw new Error('split-worker.ts runs in a worker thread.');

let resume: (() => void) | undefined;

port.on('message', (message: ToSplitThread) => {
  if (message.type === 'file_taken') resume?.();
  else void split(message).then(send);
});

function send(message: FromSplitThread, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

/** WebAssembly never shrinks its memory, so each split has a thread of its own. */
async function split(request: Exclude<ToSplitThread, { type: 'file_taken' }>): Promise<FromSplitThread> {
  try {
    for await (const bytes of request.type === 'split' ? selectPages(request) : unlocked(request)) {
      const taken = new Promise<void>((resolve) => {
        resume = resolve;
      });
      send({ type: 'file', bytes }, [bytes.buffer]);
      await taken;
    }
    return { type: 'done', reusable: false };
  } catch (error) {
    const message = 'The document cannot be split.';
    return failedAnswer(error, false, { code: 'damaged_file', message, reusable: false });
  }
}
