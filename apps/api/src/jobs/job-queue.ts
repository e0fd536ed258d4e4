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
  /** Makes the queue usable; `wake` works from here on, jobs run only after `start`. */
  connect(): Promise<void>;
  start(jobs: Job[]): Promise<void>;
  /** Wakes whoever runs the job: this process at once, others when they look next. */
  wake(name: string): Promise<void>;
  /** Tells running jobs to stop and waits until they have. */
  stop(): Promise<void>;
}

/** The queue's collection; Agenda's own default would not say whose jobs these are. */
const collection = 'jobs';

/** How often a process looks for jobs that another one woke. */
const lookEvery = 2_000;

type MongoDatabase = Extract<MongoBackendConfig, { mongo: unknown }>['mongo'];

/** `database` is the driver's database of the connection that the rest of the process uses. */
export function createJobQueue(
  database: MongoDatabase,
  log: { error(fields: object, message: string): void },
): JobQueue {
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
  const stopping = new AbortController();

  return {
    async connect() {
      await agenda.ready;
    },
    async start(jobs) {
      for (const job of jobs) {
        agenda.define(job.name, (_woken, finish) => void job.run(stopping.signal).then(() => finish(), finish), {
          concurrency: job.concurrency,
        });
      }
      await agenda.start();
      for (const job of jobs) await agenda.every(job.every, job.name);
    },
    async wake(name) {
      await agenda.now(name);
    },
    async stop() {
      stopping.abort();
      await agenda.drain();
      await agenda.stop(false);
    },
  };
}
