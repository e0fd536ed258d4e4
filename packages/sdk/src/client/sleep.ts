/** Waits; an abort rejects with the signal's reason. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason);
      return;
    }
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Doubles from a quarter of a second up to five seconds, with jitter so that many clients do not retry simultaneously.
 */
export function backoffMilliseconds(failures: number): number {
  return Math.min(5_000, 250 * 2 ** failures) * (0.75 + Math.random() / 2);
}
