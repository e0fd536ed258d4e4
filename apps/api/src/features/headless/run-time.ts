import { RunStop } from './run-stop.ts';

/** The time limit of one attempt of a run. */
export type RunTime = ReturnType<typeof createRunTime>;

/** A time limit in milliseconds, which stands still while the run waits for a permit to call a model. */
export function createRunTime(limitMs: number) {
  const over = new AbortController();
  let leftMs = limitMs;
  let isStarted = false;
  let waits = 0;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;

  function go(): void {
    if (!isStarted || waits > 0) return;
    since = performance.now();
    timer = setTimeout(() => over.abort(new RunStop('timeout')), leftMs);
  }

  function halt(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs = Math.max(0, leftMs - (performance.now() - since));
  }

  return {
    /** Aborts with a RunStop when the time is over. */
    signal: over.signal,
    start(): void {
      isStarted = true;
      go();
    },
    stop(): void {
      isStarted = false;
      halt();
    },
    /** Of several calls, the time stands still while any waits. */
    async whileWaiting<Answer>(wait: () => Promise<Answer>): Promise<Answer> {
      waits += 1;
      halt();
      try {
        return await wait();
      } finally {
        waits -= 1;
        go();
      }
    },
  };
}
