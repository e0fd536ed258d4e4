import type { ParseJob, ParserThread } from './parser-thread.ts';

export interface ParserPool {
  /** Parses on a free thread, or waits for one. Resolves to the page count. */
  run(job: ParseJob): Promise<number>;
}

interface PoolOptions {
  startThread: () => ParserThread;
  /** Threads at most. */
  size: number;
  /** A thread without work is stopped after this long and gives its memory back. */
  idleMilliseconds: number;
}

/** Keeps threads between documents, since one takes about a tenth of a second to start. */
export function createParserPool({ startThread, size, idleMilliseconds }: PoolOptions): ParserPool {
  const idle: { thread: ParserThread; timer: NodeJS.Timeout }[] = [];
  const waiting: (() => void)[] = [];
  let busy = 0;

  const takeThread = (): ParserThread => {
    for (;;) {
      const kept = idle.pop();
      if (!kept) return startThread();
      clearTimeout(kept.timer);
      if (kept.thread.alive) return kept.thread;
    }
  };
  const keepThread = (thread: ParserThread): void => {
    if (!thread.alive) return;
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((kept) => kept.thread === thread),
        1,
      );
      thread.stop();
    }, idleMilliseconds);
    timer.unref();
    idle.push({ thread, timer });
  };
  const turn = (signal: AbortSignal | undefined): Promise<void> => {
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
      await turn(job.signal);
      const thread = takeThread();
      try {
        return await thread.run(job);
      } finally {
        keepThread(thread);
        passTurn();
      }
    },
  };
}
