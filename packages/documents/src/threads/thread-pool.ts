import { readingMemory, type MemoryBudget, type MemoryGrant } from './memory-budget.ts';

/** A thread that runs one job at a time. */
export interface JobThread<Job, Result> {
  run(job: Job): Promise<Result>;
  stop(): void;
  /** False once the thread has been stopped: after a rejected job, or a job that used too much memory. */
  readonly isAlive: boolean;
}

interface ThreadPool<Job, Result> {
  /** Runs the job on a free thread, or waits for one. Jobs start in the order of their calls. */
  run(job: Job): Promise<Result>;
}

interface PoolOptions<Job, Result> {
  startThread: (memoryBytes: number) => JobThread<Job, Result>;
  /** Memory of the threads of all pools; default: that of the process's reading threads. */
  memory?: MemoryBudget;
  /** Jobs get a thread of their own, with the memory that the others leave. */
  isAlone?: boolean;
  /** Maximum number of threads. */
  size: number;
  /** Idle threads are stopped after this many milliseconds to free their memory. */
  idleMilliseconds: number;
}

/** Reuses threads between jobs, since starting one takes a tenth of a second and more. */
export function createThreadPool<Job extends { signal: AbortSignal | undefined }, Result>({
  startThread,
  size,
  idleMilliseconds,
  memory = readingMemory,
  isAlone = false,
}: PoolOptions<Job, Result>): ThreadPool<Job, Result> {
  interface HeldThread {
    thread: JobThread<Job, Result>;
    grant: MemoryGrant;
  }
  const idle: (HeldThread & { timer: NodeJS.Timeout })[] = [];
  const memoryBytes = isAlone ? memory.alone : memory.share;
  const waiting: (() => void)[] = [];
  let busy = 0;

  const stopOldest = (): void => {
    const oldest = idle.shift();
    if (!oldest) return;
    clearTimeout(oldest.timer);
    oldest.thread.stop();
    oldest.grant.release();
  };
  // An idle thread keeps its memory until another one needs it.
  memory.onShort(() => {
    while (idle.length > 0) stopOldest();
  });
  const borrowThread = async (signal: AbortSignal | undefined): Promise<HeldThread> => {
    for (;;) {
      const last = idle.pop();
      if (!last) break;
      clearTimeout(last.timer);
      if (last.thread.isAlive) return last;
      last.grant.release();
    }
    const grant = await memory.acquire(memoryBytes, signal);
    try {
      return { thread: startThread(memoryBytes), grant };
    } catch (error) {
      grant.release();
      throw error;
    }
  };
  const returnThread = ({ thread, grant }: HeldThread): void => {
    if (!thread.isAlive || isAlone || memory.isShort) {
      thread.stop();
      grant.release();
      return;
    }
    // The oldest is the first whose time is over.
    const timer = setTimeout(stopOldest, idleMilliseconds);
    timer.unref();
    idle.push({ thread, grant, timer });
  };
  const waitForTurn = (signal: AbortSignal | undefined): Promise<void> => {
    if (busy < size) {
      busy += 1;
      return Promise.resolve();
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      waiting.splice(waiting.indexOf(start), 1);
      reject(signal?.reason);
    };
    const start = (): void => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };
    signal?.addEventListener('abort', onAbort);
    waiting.push(start);
    return promise;
  };
  const passTurn = (): void => {
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  };

  return {
    async run(job) {
      job.signal?.throwIfAborted();
      await waitForTurn(job.signal);
      try {
        const held = await borrowThread(job.signal);
        try {
          return await held.thread.run(job);
        } finally {
          returnThread(held);
        }
      } finally {
        passTurn();
      }
    },
  };
}
