/**
 * Background work of a process. Pending work and its claims are stored in the product's own collections; a run that
 * finds no work ends at once.
 */
export interface Job {
  name: string;
  /** The polling interval, for work of killed processes and for lost wake-ups. */
  everyMs: number;
  /** Maximum concurrent runs of this job in one process. */
  concurrency: number;
  run(signal: AbortSignal): Promise<void>;
}

/** The runs of one job in this process. */
export interface JobRunner {
  /** Starts a run; at the concurrency limit, makes an active run poll again. */
  poll(): void;
  /** Resolves when no run is active. */
  settled(): Promise<void>;
  running(): { count: number; oldestSeconds: number };
}

export function createJobRunner(
  job: Job,
  signal: AbortSignal,
  log: { error(fields: object, message: string): void },
): JobRunner {
  /** Each active run and its start, by the process's monotonic clock. */
  const runs = new Map<Promise<void>, number>();
  let isPollRequested = false;

  function poll(): void {
    if (signal.aborted) return;
    if (runs.size >= job.concurrency) {
      isPollRequested = true;
      return;
    }
    isPollRequested = false;
    const run: Promise<void> = job
      .run(signal)
      .catch((error: unknown) => log.error({ err: error, job: job.name }, 'a job failed'))
      .finally(() => {
        runs.delete(run);
        if (isPollRequested) poll();
      });
    runs.set(run, performance.now());
  }

  return {
    poll,
    async settled() {
      while (runs.size > 0) await Promise.all(runs.keys());
    },
    running() {
      const oldest = Math.min(...runs.values());
      return { count: runs.size, oldestSeconds: runs.size === 0 ? 0 : (performance.now() - oldest) / 1_000 };
    },
  };
}
