import { parentPort } from 'node:worker_threads';
import { ParseFailure, type ParseErrorCode } from '../parse-failure.ts';
import { selectPages, type SelectedPages } from './selected-pages.ts';

export type SplitAnswer =
  | { type: 'done'; files: Uint8Array[]; reusable: boolean }
  | { type: 'failed'; code: ParseErrorCode; message: string; reason?: string; reusable: boolean };

const port = parentPort;
if (!port) throw new Error('split-worker.ts runs in a worker thread.');

port.on('message', (request: SelectedPages) => {
  void answer(request).then((message) => port.postMessage(message, []));
});

/** WebAssembly never shrinks its memory, so each split has a thread of its own. */
async function answer(request: SelectedPages): Promise<SplitAnswer> {
  try {
    return { type: 'done', files: await selectPages(request), reusable: false };
  } catch (error) {
    if (error instanceof ParseFailure) {
      return { type: 'failed', code: error.code, message: error.message, reusable: false };
    }
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { type: 'failed', code: 'damaged_file', message: 'The document cannot be split.', reason, reusable: false };
  }
}
