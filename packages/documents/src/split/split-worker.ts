import { parentPort } from 'node:worker_threads';
import { ParseFailure, type ParseErrorCode } from '../reader/parse-failure.ts';
import { selectPages, type SelectedPages } from './selected-pages.ts';

export type ToSplitThread =
  | ({ type: 'split' } & SelectedPages)
  /** The last file has been taken; the next one can be made. */
  | { type: 'file_taken' };

export type FromSplitThread =
  | { type: 'file'; bytes: Uint8Array }
  | { type: 'done'; reusable: boolean }
  | { type: 'failed'; code: ParseErrorCode; message: string; reason?: string; reusable: boolean };

const port = parentPort;
if (!port) throw new Error('split-worker.ts runs in a worker thread.');

let nextFile: (() => void) | undefined;

port.on('message', (message: ToSplitThread) => {
  if (message.type === 'file_taken') nextFile?.();
  else void split(message).then(send);
});

function send(message: FromSplitThread, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

/** WebAssembly never shrinks its memory, so each split has a thread of its own. */
async function split(request: SelectedPages): Promise<FromSplitThread> {
  try {
    for await (const bytes of selectPages(request)) {
      const taken = new Promise<void>((resolve) => {
        nextFile = resolve;
      });
      send({ type: 'file', bytes }, [bytes.buffer]);
      await taken;
    }
    return { type: 'done', reusable: false };
  } catch (error) {
    if (error instanceof ParseFailure) {
      return { type: 'failed', code: error.code, message: error.message, reusable: false };
    }
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { type: 'failed', code: 'damaged_file', message: 'The document cannot be split.', reason, reusable: false };
  }
}
