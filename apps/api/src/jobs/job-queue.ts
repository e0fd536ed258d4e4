import { MongoBackend, type MongoBackendConfig } from '@agendajs/mongo-backend';
import { Agenda, InMemoryNotificationChannel, type JobWithId } from 'agenda';

/**
 * Work that a process does when it is woken. What there is to do stands in the product's own collections; a job that finds
 * nothing simply ends.
 */
export interface Job {
  name: string;
  /** Also runs this often without being woken, for what a killed process left behind. Such as `1 minute`. */
  every: string;
  /** Runs of this job side by side in one process. */
  concurrency: number;
  run(signal: AbortSignal): Promise<void>;
}

export interface JobQueue {
  /** Begins to run jobs in this process. */
  start(jobs: Job[]): Promise<void>;
  /** Wakes whoever runs the job: this process at once, others when they look next. */
  wake(name: string): Promise<void>;
  /** Tells running jobs to stop and waits until they have. */
  stop(): Promise<void>;
}

/** The queue's collection; Agenda's own default would not say whose jobs these are. */
const collection = 'jobs';

/** Milliseconds between two looks for jobs that another process woke. */
const lookEvery = 2_000;

export type MongoDatabase = Extract<MongoBackendConfig, { mongo: unknown }>['mongo'];

export interface JobQueueDependencies {
  /** The driver's database of the connection that the rest of the process uses. */
  database: () => MongoDatabase;
  log: { error(fields: object, message: string): void };
}

/** Agenda connects as soon as it is made, so it is made when the queue is first used. */
export function createJobQueue({ database, log }: JobQueueDependencies): JobQueue {
  let agenda: Promise<Agenda> | undefined;
  const stopping = new AbortController();
  const use = () => (agenda ??= connect(database(), log));

  return {
    async start(jobs) {
      const queue = await use();
      for (const job of jobs) {
        queue.define(job.name, (_woken, finish) => void job.run(stopping.signal).then(() => finish(), finish), {
          concurrency: job.concurrency,
        });
      }
      await queue.start();
      for (const job of jobs) await queue.every(job.every, job.name);
    },
    async wake(name) {
      await (await use()).now(name);
    },
    async stop() {
      stopping.abort();
      const queue = await agenda;
      await queue?.drain();
      await queue?.stop(false);
    },
  };
}

async function connect(database: MongoDatabase, log: JobQueueDependencies['log']): Promise<Agenda> {
  const agenda = new Agenda({
    backend: new MongoBackend({ mongo: database, collection }),
    notificationChannel: new InMemoryNotificationChannel(),
    processEvery: lookEvery,
    removeOnComplete: true,
  });
  agenda.on('error', (error) => log.error({ err: error }, 'the job queue failed'));
  agenda.on('fail', (error: Error, job: JobWithId) => {
    log.error({ err: error, job: job.attrs.name }, 'a job failed');
  });
  await agenda.ready;
  return agenda;
}
