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
  startThread: () => JobThread<Job, Result>;
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
}: PoolOptions<Job, Result>): ThreadPool<Job, Result> {
  const idle: { thread: JobThread<Job, Result>; timer: NodeJS.Timeout }[] = [];
  const waiting: (() => void)[] = [];
  let busy = 0;

  const borrowThread = (): JobThread<Job, Result> => {
    for (;;) {
      const last = idle.pop();
      if (!last) return startThread();
      clearTimeout(last.timer);
      if (last.thread.isAlive) return last.thread;
    }
  };
  const returnThread = (thread: JobThread<Job, Result>): void => {
    if (!thread.isAlive) return;
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((other) => other.thread === thread),
        1,
      );
      thread.stop();
    }, idleMilliseconds);
    timer.unref();
    idle.push({ thread, timer });
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
        const thread = borrowThread();
        try {
          return await thread.run(job);
        } finally {
          returnThread(thread);
        }
      } finally {
        passTurn();
      }
    },
  };
}
