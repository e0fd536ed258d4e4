import { setImmediate } from 'node:timers/promises';

/** How long the process may do nothing else. */
const longestMs = 20;

/** To be awaited between the pieces of long work: lets what else waits have its turn, and ends the work with the signal. */
export function createBreather(signal?: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < longestMs) return;
    await setImmediate();
    signal?.throwIfAborted();
    since = performance.now();
  };
}
