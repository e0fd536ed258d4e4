import { MongoBackend, type MongoBackendConfig } from '@agendajs/mongo-backend';

export type MongoDatabase = Extract<MongoBackendConfig, { mongo: unknown }>['mongo'];

interface JobBackendOptions {
  collection: string;
  /** Whether this process may take a job of the name now. */
  mayTake: (name: string) => boolean;
  /** Names of jobs that were woken here, so that no query is needed to know that they wait. Taken names are removed. */
  woken: Set<string>;
  /** How long a lock holds without a renewal. */
  lockMs: number;
}

/** No job is planned further ahead. */
const furthestMs = 60_000;

/** A collection holds a job or two of each name; more were written by something else. */
const maxRecords = 1_000;

/**
 * Agenda's backend, save for how jobs are taken. Agenda asks for each name by a command of its own; here one query
 * finds the names that are due. A time that lies further ahead than any that this product writes comes from a clock
 * that was wrong, and would keep the job from ever running: it is set right.
 */
export function createJobBackend(
  database: MongoDatabase,
  { collection, mayTake, woken, lockMs }: JobBackendOptions,
): MongoBackend {
  const backend = new MongoBackend({ mongo: database, collection });
  const { repository } = backend;
  const take = repository.getNextJobToRun.bind(repository);
  const records = database.collection(collection);

  async function findDue(until: Date): Promise<Set<string>> {
    const now = Date.now();
    const isAhead = (time: unknown, byMs: number) => time instanceof Date && time.getTime() > now + byMs;
    const found = await records
      .find({}, { projection: { name: 1, lockedAt: 1, nextRunAt: 1 }, limit: maxRecords })
      .toArray();
    const wrong = found.filter(
      ({ lockedAt, nextRunAt }) => isAhead(lockedAt, lockMs) || isAhead(nextRunAt, furthestMs),
    );
    if (wrong.length > 0) {
      await records.updateMany(
        { _id: { $in: wrong.map(({ _id }) => _id) } },
        { $set: { lockedAt: null, nextRunAt: new Date(now) } },
      );
    }
    const due = found.filter(({ lockedAt, nextRunAt }) =>
      lockedAt instanceof Date ? lockedAt.getTime() <= now - lockMs : nextRunAt instanceof Date && nextRunAt <= until,
    );
    return new Set([...wrong, ...due].map(({ name }) => String(name)));
  }

  /** The query that the names of one poll share. */
  let finding: Promise<Set<string>> | undefined;
  repository.getNextJobToRun = async (name, until, ...rest) => {
    if (!mayTake(name)) return undefined;
    if (!woken.delete(name)) {
      finding ??= findDue(until).finally(() => {
        finding = undefined;
      });
      if (!(await finding).has(name) || !mayTake(name)) return undefined;
    }
    return take(name, until, ...rest);
  };
  return backend;
}
