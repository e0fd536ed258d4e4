import type { HeadlessQueue } from '../features/headless/headless-queue.ts';
import type { JobQueue } from '../platform/jobs/job-queue.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { QueueDepth, QueueDepthRepository } from './queue-depth-repository.ts';

/** Scrapes within this time share one query. */
const cacheMs = 3_000;

interface WatchedQueues {
  metrics: Metrics;
  queues: QueueDepthRepository;
  headless: Pick<HeadlessQueue, 'onChange'>;
  jobs: Pick<JobQueue, 'running'>;
  /** Active chat turns in this process. */
  runningTurns: () => number;
}

/** Registers gauges of waiting and active work, filled at each scrape; none while the database is unreachable. */
export function watchQueues({ metrics, queues, headless, jobs, runningTurns }: WatchedQueues): void {
  headless.onChange(({ kind, state, startedAt, endedAt }) => {
    if (startedAt === null || endedAt === null || state === 'queued' || state === 'running') return;
    metrics.documentRuns.observe(
      { kind, outcome: state },
      Math.max(endedAt.getTime() - startedAt.getTime(), 0) / 1_000,
    );
  });

  let cached: { at: number; depths: Promise<QueueDepth[]> } | undefined;
  function depths(): Promise<QueueDepth[]> {
    if (cached === undefined || performance.now() - cached.at > cacheMs) {
      cached = { at: performance.now(), depths: queues.depths().catch(() => []) };
    }
    return cached.depths;
  }

  metrics.gauge(
    'docwright_queue_depth',
    'Entries in a queue of the whole installation, by queue and state (waiting, working). The same in every process.',
    ['queue', 'state'],
    async (gauge) => {
      gauge.reset();
      for (const { queue, waiting, working } of await depths()) {
        gauge.set({ queue, state: 'waiting' }, waiting);
        gauge.set({ queue, state: 'working' }, working);
      }
    },
  );
  metrics.gauge(
    'docwright_queue_oldest_seconds',
    'Longest wait in a queue of the whole installation, by queue; 0 if it is empty. The same in every process.',
    ['queue'],
    async (gauge) => {
      gauge.reset();
      for (const { queue, oldestWaitingSince: since } of await depths()) {
        gauge.set({ queue }, since === undefined ? 0 : Math.max(Date.now() - since.getTime(), 0) / 1_000);
      }
    },
  );
  metrics.gauge('docwright_jobs_running', 'Active runs of a job in this process, by job.', ['job'], (gauge) => {
    for (const { name, count } of jobs.running()) gauge.set({ job: name }, count);
  });
  metrics.gauge(
    'docwright_job_oldest_seconds',
    'Age of the oldest active run of a job in this process, by job. A hanging run grows without end.',
    ['job'],
    (gauge) => {
      for (const { name, oldestSeconds } of jobs.running()) gauge.set({ job: name }, oldestSeconds);
    },
  );
  metrics.gauge(
    'docwright_turns_waiting',
    'Turns that wait for a decision or an answer in the whole installation. The same in every process.',
    [],
    async (gauge) => {
      const waiting = await queues.waitingTurns().catch(() => undefined);
      if (waiting === undefined) gauge.reset();
      else gauge.set(waiting);
    },
  );
  metrics.gauge('docwright_turns_running', 'Active chat turns in this process.', [], (gauge) => {
    gauge.set(runningTurns());
  });
}

/** Waiting work is reported once nothing has taken any of its queue for this long. */
const stalledAfterMs = 5 * 60_000;
const checkEveryMs = 60_000;

interface StalledWorkOptions {
  queues: Pick<QueueDepthRepository, 'depths'>;
  log: { warn(fields: object, message: string): void; info(fields: object, message: string): void };
  everyMs?: number;
  afterMs?: number;
}

/**
 * Logs once that work of a queue waits and nothing takes it: no worker process runs, or the database gives none of it to
 * those that do. Without the line, such an installation is silent. Returns a function that stops the checks.
 */
export function reportStalledWork({
  queues,
  log,
  everyMs = checkEveryMs,
  afterMs = stalledAfterMs,
}: StalledWorkOptions): () => void {
  const stalled = new Set<string>();
  async function check(): Promise<void> {
    // `watchDatabase` reports an unreachable database.
    for (const { queue, waiting, working, oldestWaitingSince } of await queues.depths().catch(() => [])) {
      const waited = oldestWaitingSince === undefined ? 0 : Date.now() - oldestWaitingSince.getTime();
      const isStalled = waiting > 0 && working === 0 && waited >= afterMs;
      if (isStalled === stalled.has(queue)) continue;
      if (isStalled) {
        stalled.add(queue);
        const fields = { queue, waiting, oldest_seconds: Math.round(waited / 1_000) };
        log.warn(
          fields,
          'work waits and no process takes it; is a worker running, and does the database meet its requirements?',
        );
      } else {
        stalled.delete(queue);
        log.info({ queue }, 'waiting work is taken again');
      }
    }
  }
  const timer = setInterval(() => void check(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
