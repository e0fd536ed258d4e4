/**
 * Work that a process does when it is woken. What there is to do stands in the product's own collections, and so does who
 * does what; a job that finds nothing simply ends.
 */
export interface Job {
  name: string;
  /** Each process also looks this often without being woken, for what a killed one left behind and for wakes that were lost. */
  everyMs: number;
  /** Runs of this job side by side in one process. */
  concurrency: number;
  run(signal: AbortSignal): Promise<void>;
}

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
