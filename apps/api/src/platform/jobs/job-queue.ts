import { setTimeout as sleep } from 'node:timers/promises';
import { MongoBackend, type MongoBackendConfig } from '@agendajs/mongo-backend';
import { Agenda, InMemoryNotificationChannel, type Job as AgendaJob, type JobWithId } from 'agenda';
import { createJobRunner, type Job, type JobRunner } from './job-runner.ts';

export interface JobQueue {
  /** Starts running jobs in this process. */
  start(jobs: Job[]): Promise<void>;
  /** Wakes the processes that run the job: this one at once, the others at their next poll. */
  wake(name: string): Promise<void>;
  /** Polls the job in this process alone, if it runs here. */
  poll(name: string): void;
  /** Aborts running jobs and waits for them, up to `stopWithinMs`. */
  stop(): Promise<void>;
  /** The active runs in this process: the number per job, and the age of the oldest. */
  running(): { name: string; count: number; oldestSeconds: number }[];
}

const collection = 'jobs';
/** The only job of Agenda, for wake-ups of all jobs: it polls once for each job that it knows. */
const wakeUps = 'wake-up';

interface WakeUp {
  /** The name of the job to poll. */
  job: string;
}

type MongoDatabase = Extract<MongoBackendConfig, { mongo: unknown }>['mongo'];

interface JobQueueDependencies {
  /** The driver's database of the connection that the rest of the process uses. */
  database: () => MongoDatabase;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
  /** Interval between polls for wake-ups from other processes. */
  pollMs?: number;
  /** How long a stop waits for jobs that do not end. Their leases then expire. */
  stopWithinMs?: number;
}

/**
 * Agenda only carries wake-ups between processes. Its jobs are done as soon as a process is woken, so neither a hanging
 * run nor the lock of a killed worker blocks other processes. Each process also polls by its own timer, independent of
 * the wall clock. Agenda connects on construction, so it is created at first use.
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
      // Records of older versions, which had a job of Agenda for each job.
      await queue.cancel({ names: jobs.map(({ name }) => name) });
      const onWakeUp = ({ attrs }: AgendaJob<WakeUp>, done: () => void) => {
        runners.get(attrs.data.job)?.poll();
        done();
      };
      queue.define(wakeUps, onWakeUp, { concurrency: jobs.length, lockLimit: jobs.length });
      for (const job of jobs) {
        const runner = createJobRunner(job, stopping.signal, log);
        runners.set(job.name, runner);
        timers.push(setInterval(() => runner.poll(), job.everyMs).unref());
        runner.poll();
      }
      await queue.start();
    },
    poll(name) {
      runners.get(name)?.poll();
    },
    async wake(name) {
      this.poll(name);
      const queue = await use();
      // One pending wake-up serves as well as many.
      const wakeUp = queue.create<WakeUp>(wakeUps, { job: name });
      await wakeUp.unique({ 'data.job': name, lockedAt: null }, { insertOnly: true }).schedule(new Date()).save();
    },
    async stop() {
      stopping.abort();
      for (const timer of timers) clearInterval(timer);
      const queue = await agenda;
      await queue?.stop(false);
      const settled = Promise.all([...runners.values()].map((runner) => runner.settled()));
      const inTime = await Promise.race([settled.then(() => true), sleep(stopWithinMs, false, { ref: false })]);
      if (!inTime) log.warn({ jobs: this.running() }, 'jobs did not end in time and are abandoned');
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
