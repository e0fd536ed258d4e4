import { setTimeout as sleep } from 'node:timers/promises';
import { MongoBackend, type MongoBackendConfig } from '@agendajs/mongo-backend';
import { Agenda, InMemoryNotificationChannel, type JobWithId } from 'agenda';
import { createJobRunner, type Job, type JobRunner } from './job-runner.ts';

export interface JobQueue {
  /** Begins to run jobs in this process. */
  start(jobs: Job[]): Promise<void>;
  /** Wakes whoever runs the job: this process at once, others when they look next. */
  wake(name: string): Promise<void>;
  /** Wakes the job in this process alone, where it runs it. */
  look(name: string): void;
  /** Tells running jobs to stop and waits until they have, but not for ever. */
  stop(): Promise<void>;
  /** What runs in this process: how many of each job, and for how long the oldest has. */
  running(): { name: string; count: number; oldestSeconds: number }[];
}

/** The queue's collection; Agenda's own default would not say whose jobs these are. */
const collection = 'jobs';

type MongoDatabase = Extract<MongoBackendConfig, { mongo: unknown }>['mongo'];

interface JobQueueDependencies {
  /** The driver's database of the connection that the rest of the process uses. */
  database: () => MongoDatabase;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  /** Between two looks for jobs that another process woke. */
  pollMs?: number;
  /** How long a stop waits for jobs that do not end. What they hold is free again once it is not renewed. */
  stopWithinMs?: number;
}

/**
 * Agenda carries the wakes from process to process, and nothing else: its jobs are done the moment a process has been woken,
 * so that neither a run that hangs nor the lock of a killed worker keeps anything from the others. Besides, each process looks
 * by its own timer, which no setting of the clock moves. Agenda connects as soon as it is made, so it is made when first used.
 */
export function createJobQueue({
  database,
  log,
  pollMs = 2_000,
  stopWithinMs = 5_000,
}: JobQueueDependencies): JobQueue {
  let agenda: Promise<Agenda> | undefined;
  const stopping = new AbortController();
  const runners = new Map<string, JobRunner>();
  const timers: NodeJS.Timeout[] = [];
  const use = () => (agenda ??= connect(database(), pollMs, log));

  return {
    async start(jobs) {
      const queue = await use();
      // What an older version repeated here would stand in for a wake. A wake that goes with it is made up for right here.
      await queue.cancel({ names: jobs.map(({ name }) => name) });
      for (const job of jobs) {
        const runner = createJobRunner(job, stopping.signal, log);
        runners.set(job.name, runner);
        const look = (_woken: unknown, done: () => void) => {
          runner.look();
          done();
        };
        queue.define(job.name, look, { concurrency: 1, lockLimit: 1 });
        timers.push(setInterval(() => runner.look(), job.everyMs).unref());
        runner.look();
      }
      await queue.start();
    },
    look(name) {
      runners.get(name)?.look();
    },
    async wake(name) {
      this.look(name);
      const queue = await use();
      // One wake that nobody has taken yet is as good as many.
      const woken = queue.create(name).unique({ lockedAt: null }, { insertOnly: true }).schedule(new Date());
      await woken.save();
    },
    async stop() {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
      const queue = await agenda;
      await queue?.stop(false);
      const ended = Promise.all([...runners.values()].map((runner) => runner.ended()));
      const inTime = await Promise.race([ended.then(() => true), sleep(stopWithinMs, false, { ref: false })]);
      if (!inTime) log.warn({ jobs: this.running() }, 'jobs did not end in time and are left');
    },
    running() {
      return [...runners].map(([name, runner]) => ({ name, ...runner.running() }));
    },
  };
}

async function connect(database: MongoDatabase, pollMs: number, log: JobQueueDependencies['log']): Promise<Agenda> {
  const agenda = new Agenda({
    backend: new MongoBackend({ mongo: database, collection }),
    notificationChannel: new InMemoryNotificationChannel(),
    processEvery: pollMs,
    removeOnComplete: true,
  });
  agenda.on('error', (error) => log.error({ err: error }, 'the job queue failed'));
  agenda.on('fail', (error: Error, job: JobWithId) => {
    log.error({ err: error, job: job.attrs.name }, 'a job failed');
  });
  await agenda.ready;
  return agenda;
}
