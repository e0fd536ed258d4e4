import type { Job } from './job-queue.ts';

/** The runs of one job in this process. */
export interface JobRunner {
  /** Begins a run, or has one of those that go look once more where there are as many as may be. */
  look(): void;
  /** Resolves when none goes. */
  ended(): Promise<void>;
  running(): { count: number; oldestSeconds: number };
}

export function createJobRunner(
  job: Job,
  signal: AbortSignal,
  log: { error(fields: object, message: string): void },
): JobRunner {
  /** Each run, and since when it goes by the process's own clock. */
  const runs = new Map<Promise<void>, number>();
  let isAskedAgain = false;

  function look(): void {
    if (signal.aborted) return;
    if (runs.size >= job.concurrency) {
      isAskedAgain = true;
      return;
    }
    isAskedAgain = false;
    const run: Promise<void> = job
      .run(signal)
      .catch((error: unknown) => log.error({ err: error, job: job.name }, 'a job failed'))
      .finally(() => {
        runs.delete(run);
        if (isAskedAgain) look();
      });
    runs.set(run, performance.now());
  }

  return {
    look,
    async ended() {
      while (runs.size > 0) await Promise.all(runs.keys());
    },
    running() {
      const oldest = Math.min(...runs.values());
      return { count: runs.size, oldestSeconds: runs.size === 0 ? 0 : (performance.now() - oldest) / 1_000 };
    },
  };
}
