import type { HeadlessListener } from '../headless/headless-queue.ts';

/** Documents that end close together are looked after together. */
const gatherMs = 250;

/** Has runs looked after soon after a document of one has ended. */
export function createEndWatch(look: () => void): HeadlessListener {
  let timer: NodeJS.Timeout | undefined;
  return ({ runId, state }) => {
    if (runId === null || state === 'queued' || state === 'running') return;
    timer ??= setTimeout(() => {
      timer = undefined;
      look();
    }, gatherMs).unref();
  };
}
