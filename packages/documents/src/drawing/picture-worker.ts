import { parentPort } from 'node:worker_threads';
import { failedAnswer, type FailedAnswer } from '../threads/failed-answer.ts';
import { isMemoryBelow } from '../threads/thread-memory.ts';
import { pagePicture, type PagePicture, type PictureRequest } from './page-picture.ts';

export type PictureAnswer = { type: 'done'; picture: PagePicture; reusable: boolean } | FailedAnswer;

/** A thread with more memory than this is replaced, because WebAssembly never shrinks its memory. */
const maxReusableBytes = 400 * 1024 * 1024;

const port = parentPort;
if (!port) throw new Error('picture-worker.ts runs in a worker thread.');

port.on('message', (request: PictureRequest) => {
  void answer(request).then((message) => port.postMessage(message, []));
});

async function answer(request: PictureRequest): Promise<PictureAnswer> {
  try {
    return { type: 'done', picture: await pagePicture(request), reusable: isMemoryBelow(maxReusableBytes) };
  } catch (error) {
    const message = 'This page cannot be drawn.';
    return failedAnswer(error, isMemoryBelow(maxReusableBytes), { code: 'damaged_page', message, reusable: false });
  }
}
