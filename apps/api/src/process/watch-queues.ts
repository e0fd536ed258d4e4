import type { HeadlessQueue } from '../features/headless/headless-queue.ts';
import type { JobQueue } from '../platform/jobs/job-queue.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import type { QueueDepth, QueueDepthRepository } from './queue-depth-repository.ts';

/** Scrapes that come close together share one look into the database. */
const keptMs = 3_000;

interface WatchedQueues {
  metrics: Metrics;
  queues: QueueDepthRepository;
  headless: Pick<HeadlessQueue, 'onChange'>;
  jobs: Pick<JobQueue, 'running'>;
  /** Turns of chats that run in this process. */
  runningTurns: () => number;
}

/** Gauges of what waits and what runs, filled when they are read. A database that is away leaves them out. */
export function watchQueues({ metrics, queues, headless, jobs, runningTurns }: WatchedQueues): void {
  headless.onChange(({ kind, state, startedAt, endedAt }) => {
    if (startedAt === null || endedAt === null || state === 'queued' || state === 'running') return;
    metrics.documentRuns.observe(
      { kind, outcome: state },
      Math.max(endedAt.getTime() - startedAt.getTime(), 0) / 1_000,
    );
  });

  let kept: { at: number; depths: Promise<QueueDepth[]> } | undefined;
  function depths(): Promise<QueueDepth[]> {
    if (kept === undefined || performance.now() - kept.at > keptMs) {
      kept = { at: performance.now(), depths: queues.depths().catch(() => []) };
    }
    return kept.depths;
  }

  metrics.gauge(
    'docwright_queue_depth',
    'Things in a queue of the whole installation, by queue and state (waiting, working). Every process tells the same.',
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
    'Age of what has waited longest, by queue; 0 where nothing waits. Every process tells the same.',
    ['queue'],
    async (gauge) => {
      gauge.reset();
      for (const { queue, oldestWaitingSince: since } of await depths()) {
        gauge.set({ queue }, since === undefined ? 0 : Math.max(Date.now() - since.getTime(), 0) / 1_000);
      }
    },
  );
  metrics.gauge('docwright_jobs_running', 'Runs of a job in this process, by job.', ['job'], (gauge) => {
    for (const { name, count } of jobs.running()) gauge.set({ job: name }, count);
  });
  metrics.gauge(
    'docwright_job_oldest_seconds',
    'For how long the oldest run of a job in this process has gone, by job: what grows without end hangs.',
    ['job'],
    (gauge) => {
      for (const { name, oldestSeconds } of jobs.running()) gauge.set({ job: name }, oldestSeconds);
    },
  );
  metrics.gauge(
    'docwright_turns_waiting',
    'Turns that wait for a decision or an answer in the whole installation. Every process tells the same.',
    [],
    async (gauge) => {
      const waiting = await queues.waitingTurns().catch(() => undefined);
      if (waiting === undefined) gauge.reset();
      else gauge.set(waiting);
    },
  );
  metrics.gauge('docwright_turns_running', 'Turns of chats that run in this process.', [], (gauge) => {
    gauge.set(runningTurns());
  });
}
