import { setTimeout as sleep } from 'node:timers/promises';
import { Agenda, InMemoryNotificationChannel, type Job as AgendaJob, type JobWithId } from 'agenda';
import { startHeartbeat } from '../leases/heartbeat.ts';
import { createJobBackend, type MongoDatabase } from './job-backend.ts';
import { createJobRunner, type Job, type JobRunner } from './job-runner.ts';
import { wakeOnWrites } from './wake-on-writes.ts';

export type JobQueue = ReturnType<typeof createJobQueue>;

const collection = 'jobs';
/** The repeating job that finds work whose process was killed. One process runs it for all. */
const sweepName = 'sweep';

interface JobQueueDependencies {
  /** The driver's database of the connection that the rest of the process uses. */
  database: () => MongoDatabase;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  /** Whether no job may start now, such as while the disk is full. */
  isPaused?: () => boolean;
  /** Whether no process has started or ended for a while (`quietEveryMs` of a job). */
  isQuiet?: () => boolean;
  /** Interval between polls for jobs that other processes have woken. */
  pollMs?: number;
  /** How long a stop waits for jobs that do not end. Their leases then expire. */
  stopWithinMs?: number;
  /** How long the lock of a killed process keeps its job from others. */
  lockMs?: number;
}

/**
 * Agenda carries the work: each kind of work is a job of its own, which runs in the process that takes it, and one
 * repeating job sweeps all kinds. The pending work and its workers are in the records of the features, with
 * leases: a job that runs twice finds the second time that nothing is left, and a lost one is found by the sweep.
 *
 * Agenda connects on construction, so it is created at first use.
 */
export function createJobQueue({
  database,
  log,
  isPaused = () => false,
  isQuiet = () => false,
  pollMs = 2_000,
  stopWithinMs = 5_000,
  lockMs = 15_000,
}: JobQueueDependencies) {
  let agenda: Promise<Agenda> | undefined;
  const stopping = new AbortController();
  const runners = new Map<string, JobRunner>();
  const woken = new Set<string>();
  const channel = new InMemoryNotificationChannel();
  const mayTake = (name: string) =>
    !stopping.signal.aborted && !isPaused() && (runners.get(name)?.hasRoom() ?? name === sweepName);
  const use = () => (agenda ??= connect());

  async function connect(): Promise<Agenda> {
    const queue = new Agenda({
      backend: createJobBackend(database(), { collection, mayTake, woken, lockMs }),
      notificationChannel: channel,
      processEvery: pollMs,
      defaultLockLifetime: lockMs,
      // Each job has its own limit.
      maxConcurrency: Number.MAX_SAFE_INTEGER,
      removeOnComplete: true,
    });
    queue.on('error', (error) => log.error({ err: error }, 'the job queue failed'));
    queue.on('fail', (error: Error, job: JobWithId) => {
      log.error({ err: error, job: job.attrs.name }, 'a job failed');
    });
    await queue.ready;
    return queue;
  }

  /** A handler of Agenda's. */
  const handler = (work: (lost: AbortSignal) => Promise<void>) => {
    const run = async (job: AgendaJob, done: (error?: Error) => void): Promise<void> => {
      try {
        await hold(job, work);
        done();
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    };
    return (job: AgendaJob, done: (error?: Error) => void) => void run(job, done);
  };

  /** Renews the lock of a job while it runs. `work` gets a signal for the loss of the lock. */
  async function hold(job: AgendaJob, work: (lost: AbortSignal) => Promise<void>): Promise<void> {
    const renew = async () => {
      if (await job.isExpired()) return false;
      await job.touch();
      return true;
    };
    const onFailure = (error: unknown) => log.warn({ err: error, job: job.attrs.name }, 'a job was not renewed');
    const heartbeat = startHeartbeat(renew, lockMs / 3, { onFailure });
    try {
      await work(heartbeat.lost);
    } finally {
      await heartbeat.stop();
    }
  }

  /** Takes a job that was woken while this process had no room for it. */
  const takeWoken = (jobName: string) => {
    if (!woken.has(jobName) || channel.state !== 'connected') return;
    const notification = { jobId: '' as never, jobName, nextRunAt: null, priority: 0, timestamp: new Date() };
    channel.publish(notification).catch((error: unknown) => log.error({ err: error }, 'the job queue failed'));
  };

  async function wake(name: string): Promise<void> {
    const queue = await use();
    if (runners.has(name)) woken.add(name);
    // One waiting job serves as well as many.
    await queue
      .create(name)
      .unique({ lockedAt: null, type: 'normal' }, { insertOnly: true })
      .schedule(new Date())
      .save();
  }

  /** Runs a job here, which needs no command, or offers it to all where this process does not run it or has no room. */
  async function wakeNearest(name: string): Promise<void> {
    const runner = runners.get(name);
    if (runner?.hasRoom() === true) runner.poll();
    else await wake(name);
  }

  return {
    /** Asks for a run of the job: a process with room for it takes it, this one at once, another at its next poll. */
    wake,
    /** Starts running jobs in this process. */
    async start(jobs: Job[]) {
      const queue = await use();
      await removeFormer(database());
      for (const job of jobs) {
        const { name, concurrency } = job;
        // The sweep finds later what a pause leaves.
        const run: Job['run'] = async (signal) => (isPaused() ? undefined : job.run(signal));
        const runner = createJobRunner({ ...job, run }, stopping.signal, { log, onRoom: () => takeWoken(name) });
        runners.set(name, runner);
        queue.define(
          name,
          handler(() => runner.run()),
          {
            concurrency,
            lockLimit: concurrency,
          },
        );
      }
      const swept = jobs.map((job) => ({ job, runner: runners.get(job.name)! }));
      // A database that is unreachable for a moment does not end the sweep.
      const pass = async (name: string) =>
        await wake(name).catch((error: unknown) => log.warn({ err: error, job: name }, 'a job was not woken'));
      const sweepAll = (lost: AbortSignal) => sweep(swept, { pass, isQuiet }, AbortSignal.any([stopping.signal, lost]));
      queue.define(sweepName, handler(sweepAll), { concurrency: 1, lockLimit: 1 });
      const sweeping = queue.create(sweepName).unique({}, { insertOnly: true });
      await sweeping.repeatEvery(`${lockMs}`).schedule(new Date()).save();
      await queue.start();
      // Work that a killed process left behind does not wait for its lock on the sweep.
      for (const runner of runners.values()) runner.poll();
    },
    /** Wakes the jobs by writes (`wokenBy`), in any process. Returns the callback for the collection of each. */
    wakeOnWrites: (jobs: readonly Job[]) => wakeOnWrites(jobs, { wake: wakeNearest, log, signal: stopping.signal }),
    /** Runs the job in this process, if it runs here. */
    poll(name: string) {
      runners.get(name)?.poll();
    },
    /** Aborts running jobs and waits for them, up to `stopWithinMs`. */
    async stop() {
      stopping.abort();
      const queue = await agenda;
      const drained = queue?.drain({ timeout: stopWithinMs, closeConnection: false });
      const settled = Promise.all([...runners.values()].map((runner) => runner.settled()));
      const inTime = await Promise.race([settled.then(() => true), sleep(stopWithinMs, false, { ref: false })]);
      if (!inTime) log.warn({ jobs: this.running() }, 'jobs did not end in time and are abandoned');
      await drained;
    },
    /** The active runs in this process: the number per job, and the age of the oldest. */
    running() {
      return [...runners].map(([name, runner]) => ({ name, ...runner.running() }));
    },
  };
}

/** Removes the jobs of older versions, which repeated or carried wake-ups alone. */
async function removeFormer(database: MongoDatabase): Promise<void> {
  await database.collection(collection).deleteMany({ $or: [{ name: 'wake-up' }, { type: 'single' }] });
}

/** A process can start or end meanwhile, and a timer cannot take for ever. */
const longestSleepMs = 5_000;

interface SweptJob {
  job: Pick<Job, 'name' | 'everyMs' | 'quietEveryMs'>;
  runner: Pick<JobRunner, 'hasRoom' | 'poll'>;
}

/**
 * Starts each job at its interval, until the signal aborts: work whose process was killed, or whose wake-up was lost, is
 * found so. Where this process has no room for another run, `pass` offers it to the others.
 *
 * Time is counted by the process's monotonic clock, so that a wall clock that is set back stops nothing.
 */
async function sweep(
  swept: readonly SweptJob[],
  { pass, isQuiet }: { pass: (name: string) => Promise<void>; isQuiet: () => boolean },
  signal: AbortSignal,
): Promise<void> {
  const last = new Map(swept.map(({ job }) => [job.name, performance.now()]));
  const dueAt = ({ name, everyMs, quietEveryMs = everyMs }: SweptJob['job']) =>
    last.get(name)! + (isQuiet() ? quietEveryMs : everyMs);
  while (!signal.aborted) {
    const wait = Math.min(...swept.map(({ job }) => dueAt(job))) - performance.now();
    await sleep(Math.min(Math.max(wait, 0), longestSleepMs), undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    for (const { job, runner } of swept) {
      if (dueAt(job) > performance.now()) continue;
      last.set(job.name, performance.now());
      if (runner.hasRoom()) runner.poll();
      else await pass(job.name);
    }
  }
}
