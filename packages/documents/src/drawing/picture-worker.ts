import { parentPort } from 'node:worker_threads';
import { ParseFailure, type ParseErrorCode } from '../reader/parse-failure.ts';
import { pagePicture, type PagePicture, type PictureRequest } from './page-picture.ts';

/** `reusable`: the thread can take another job. */
export type PictureAnswer =
  | { type: 'done'; picture: PagePicture; reusable: boolean }
  | { type: 'failed'; code: ParseErrorCode; message: string; reason?: string; reusable: boolean };

/** A thread with more memory than this is replaced, because WebAssembly never shrinks its memory. */
const REUSABLE_BYTES = 400 * 1024 * 1024;

const port = parentPort;
if (!port) throw new Error('picture-worker.ts runs in a worker thread.');

port.on('message', (request: PictureRequest) => {
  void answer(request).then((message) => port.postMessage(message, []));
});

async function answer(request: PictureRequest): Promise<PictureAnswer> {
  try {
    return { type: 'done', picture: await pagePicture(request), reusable: isReusable() };
  } catch (error) {
    if (error instanceof ParseFailure) {
      const reusable = error.code !== 'parse_out_of_memory' && isReusable();
      return { type: 'failed', code: error.code, message: error.message, reusable };
    }
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { type: 'failed', code: 'damaged_page', message: 'This page cannot be drawn.', reason, reusable: false };
  }
}

function isReusable(): boolean {
  const { heapTotal, external, arrayBuffers } = process.memoryUsage();
  return heapTotal + external + arrayBuffers < REUSABLE_BYTES;
}
