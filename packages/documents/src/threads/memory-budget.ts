import { totalmem } from 'node:os';

const megabyte = 1024 * 1024;

/** Memory of one grant, to be released once. */
export interface MemoryGrant {
  release(): void;
}

/** Bounds the memory of all threads together. */
export type MemoryBudget = ReturnType<typeof createMemoryBudget>;

interface Request {
  bytes: number;
  start: () => void;
}

/** A budget of `bytes`, at most `maxShare` of it a thread. */
export function createMemoryBudget(bytes: number, maxShare: number) {
  const share = Math.min(maxShare, Math.floor(bytes / 4));
  const alone = Math.min(2 * maxShare, bytes - share);
  const listeners: (() => void)[] = [];
  const waiting: Request[] = [];
  let used = 0;
  /** Memory of the grants that are no larger than a share. */
  let usedByShares = 0;

  const fits = (request: Request): boolean => {
    if (used + request.bytes > bytes) return false;
    // One share is always left to those that need no more; while a large request waits, they use no more than that.
    const isLargeWaiting = waiting.some((other) => other !== request && other.bytes > share);
    return request.bytes > share || !isLargeWaiting || usedByShares + request.bytes <= share;
  };
  const startWaiting = (): void => {
    for (const request of waiting.toSorted((one, other) => one.bytes - other.bytes)) {
      if (!fits(request)) continue;
      waiting.splice(waiting.indexOf(request), 1);
      request.start();
    }
  };

  return {
    bytes,
    /** What one thread may use beside others. */
    share,
    /** What a document that burst its share may use: everything but one share, so that others are still read. */
    alone,
    /** Whether a request waits: no thread is kept idle then. */
    get isShort() {
      return waiting.length > 0;
    },
    /** Called when a request has to wait: idle threads are stopped. */
    onShort: (free: () => void) => void listeners.push(free),
    /** Waits for the memory. Larger requests do not block smaller ones, which leave them all but one share. */
    async acquire(wanted: number, signal?: AbortSignal) {
      signal?.throwIfAborted();
      const size = Math.min(wanted, alone);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const onAbort = (): void => {
        const at = waiting.findIndex(({ start }) => start === request.start);
        if (at < 0) return;
        waiting.splice(at, 1);
        reject(signal?.reason);
        startWaiting();
      };
      const request: Request = {
        bytes: size,
        start: () => {
          used += size;
          if (size <= share) usedByShares += size;
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort);
      waiting.push(request);
      startWaiting();
      if (waiting.includes(request)) for (const free of listeners) free();
      await promise;
      let isHeld = true;
      return {
        release() {
          if (!isHeld) return;
          isHeld = false;
          used -= size;
          if (size <= share) usedByShares -= size;
          startWaiting();
        },
      };
    },
  };
}

/** The memory of all reading threads of a process: the setting, or a part of what the process may use. */
export function readingMemoryBytes(
  setting: string | undefined,
  mayUse = Math.min(process.constrainedMemory() || Infinity, totalmem()),
): number {
  const megabytes = Number(setting);
  if (Number.isInteger(megabytes) && megabytes >= 256) return megabytes * megabyte;
  return Math.max(256 * megabyte, Math.floor(mayUse * 0.3));
}

/** Of all reading threads of this process. */
export const readingMemory = createMemoryBudget(
  readingMemoryBytes(process.env['READING_MEMORY_MB']),
  // The largest heap and the largest WebAssembly memory of a thread.
  1536 * megabyte,
);
