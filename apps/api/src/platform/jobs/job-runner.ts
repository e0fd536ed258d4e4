import { traced } from '@docwright/agent-core';
import { runInBackground } from './background-work.ts';

/**
 * Background work of a process. Pending work and its claims are stored in the product's own collections; a run that
 * finds no work ends at once.
 */
export interface Job {
  name: string;
  /** How often the sweep looks for work of killed processes, and for work that becomes due by itself. */
  everyMs: number;
  /**
   * How often instead while no process has started or ended for a while, so that no killed one has left work. Work that says
   * when it is to be tried again (`againIn` of `backgroundWork`) is then. Default: `everyMs`.
   */
  quietEveryMs?: number;
  /** Collections whose writes can make work for it. A write of any process wakes it. */
  wokenBy?: readonly string[];
  /** Maximum concurrent runs of this job in one process. */
  concurrency: number;
  run(signal: AbortSignal): Promise<void>;
}

/** The runs of one job in this process. */
export type JobRunner = ReturnType<typeof createJobRunner>;

interface JobRunnerOptions {
  log: { error(fields: object, message: string): void };
  /** Called when a run has ended and another may start. */
  onRoom?: () => void;
}

export function createJobRunner(job: Job, signal: AbortSignal, { log, onRoom = () => undefined }: JobRunnerOptions) {
  /** Each active run and its start, by the process's monotonic clock. */
  const runs = new Map<Promise<void>, number>();
  let isPollRequested = false;
  const hasRoom = () => !signal.aborted && runs.size < job.concurrency;

  async function run(): Promise<void> {
    if (!hasRoom()) return;
    isPollRequested = false;
    // Each run is a trace of its own: what woke it has ended.
    const step = { name: `job ${job.name}`, attributes: { 'docwright.job': job.name }, root: true };
    const started: Promise<void> = traced(step, () => runInBackground(() => job.run(signal), { againIn }))
      .catch((error: unknown) => log.error({ err: error, job: job.name }, 'a job failed'))
      .finally(() => {
        runs.delete(started);
        if (isPollRequested) void run();
        else onRoom();
      });
    runs.set(started, performance.now());
    await started;
  }

  /** Starts a run; at the concurrency limit, an active run is followed by another. */
  function poll(): void {
    if (hasRoom()) void run();
    else isPollRequested = true;
  }

  /** The seconds of the process's monotonic clock at which something is to be tried again. */
  const dueAt = new Set<number>();
  function againIn(ms: number): void {
    const second = Math.ceil((performance.now() + ms) / 1_000);
    if (dueAt.has(second)) return;
    dueAt.add(second);
    const whenDue = (): void => {
      dueAt.delete(second);
      poll();
    };
    setTimeout(whenDue, second * 1_000 + 1 - performance.now()).unref();
  }

  return {
    /** Whether another run may start. */
    hasRoom,
    /** Starts a run and resolves when it has ended; a failure is logged. At the concurrency limit it does nothing. */
    run,
    poll,
    /** Resolves when no run is active. */
    async settled() {
      while (runs.size > 0) await Promise.all(runs.keys());
    },
    running() {
      const oldest = Math.min(...runs.values());
      return { count: runs.size, oldestSeconds: runs.size === 0 ? 0 : (performance.now() - oldest) / 1_000 };
    },
  };
}
