/** Waits. An abort rejects with the reason of the signal. */
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

/** Doubles from 250 ms to 5 s. The jitter keeps many clients from retrying at the same time. */
export function backoffMilliseconds(failures: number): number {
  return Math.min(5_000, 250 * 2 ** failures) * (0.75 + Math.random() / 2);
}
