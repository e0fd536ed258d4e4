import { randomUUID } from 'node:crypto';
import type { Collection, Connection } from 'mongoose';
import mongoose from 'mongoose';
import { openDatabase } from '../platform/database/connection.ts';
import { createLeases } from '../platform/leases/leases.ts';
import { reasonOf } from './start-database-reason.ts';
import { StartError } from './start-error.ts';

type Probe = (probes: Collection<Probed>) => Promise<unknown>;

interface Probed {
  _id: string;
  number?: number;
  at?: Date;
  tags?: string[];
  text?: string;
}

/**
 * The features that Docwright needs beyond the basics of the protocol, each probed on a temporary collection.
 * `docs/operators/database.md` explains them.
 */
const requiredFeatures: Record<string, Probe> = {
  'reading and writing': async (probes) => {
    await probes.insertOne({ _id: 'a', number: 1, tags: ['x'], text: 'one word' });
    if ((await probes.findOne({ _id: 'a' }))?.number !== 1) throw new Error('a written document cannot be read');
  },
  'updates with a pipeline and $$NOW': async (probes) => {
    await probes.updateOne({ _id: 'a' }, [{ $set: { at: '$$NOW' } }]);
    if (!((await probes.findOne({ _id: 'a' }))?.at instanceof Date)) throw new Error('$$NOW is not a date');
  },
  '$expr in a filter': async (probes) => {
    const found = await probes.countDocuments({ $expr: { $lte: ['$at', { $add: ['$$NOW', 60_000] }] } });
    if (found !== 1) throw new Error('the document is not found');
  },
  'comparisons of a stored date with $$NOW in a filter': async (probes) => {
    const past = { $expr: { $gte: ['$at', { $add: ['$$NOW', 60_000] }] } };
    if ((await probes.countDocuments(past)) !== 0) throw new Error('a date of the past counts as one of the future');
    if ((await probes.countDocuments({ $expr: { $lte: ['$at', '$$NOW'] } })) !== 1)
      throw new Error('a date of the past is not found');
  },
  '$$NOW in a projection': async (probes) => {
    const projection = { now: '$$NOW', is_past: { $lte: ['$at', '$$NOW'] } };
    const found = await probes.findOne<{ now?: unknown; is_past?: unknown }>({ _id: 'a' }, { projection });
    if (!(found?.now instanceof Date)) throw new Error('$$NOW is not a date');
    if (found.is_past !== true) throw new Error('a date of the past counts as one of the future');
  },
  // Every claim of work does this. A database that orders a missing date otherwise would leave all work waiting.
  'claims of records without a date (findAndModify with $expr and a pipeline)': async (probes) => {
    const leases = createLeases<Probed>(probes as never, { token: 'lease.token', until: 'lease.until' });
    const claim = async () => leases.claim({ _id: 'a' }, { milliseconds: 60_000, sort: { _id: 1 } });
    const first = await claim();
    if (first === undefined) throw new Error('a record that nobody holds is not claimed');
    if ((await claim()) !== undefined) throw new Error('a record is claimed twice');
    if (!(await leases.release({ _id: 'a' }, first.token))) throw new Error('a claim is not released');
  },
  'unique indexes with a condition (partialFilterExpression)': async (probes) => {
    const partialFilterExpression = { number: { $type: 'number' } };
    await probes.createIndex({ number: 1 }, { unique: true, partialFilterExpression });
    // Documents outside the condition are no duplicates.
    await probes.insertMany([{ _id: 'd' }, { _id: 'e' }]);
    const isRefused = await probes.insertOne({ _id: 'b', number: 1 }).then(
      () => false,
      (error: unknown) => error instanceof mongoose.mongo.MongoServerError && error.code === 11_000,
    );
    if (!isRefused) throw new Error('a duplicate is accepted');
    await probes.deleteMany({ _id: { $in: ['d', 'e'] } });
  },
  'indexes that expire documents (TTL)': (probes) => probes.createIndex({ at: 1 }, { expireAfterSeconds: 3600 }),
  'text indexes and $meta': async (probes) => {
    // The search within one collection has its keys before the text.
    await probes.createIndex({ number: 1, text: 'text' });
    const score = { score: { $meta: 'textScore' } } as const;
    const found = await probes
      .find({ number: 1, $text: { $search: 'word' } }, { projection: { text: 1, ...score } })
      .toArray();
    if (found.length !== 1) throw new Error('the document is not found');
  },
  'findAndModify with an upsert': async (probes) => {
    const options = { upsert: true, returnDocument: 'after' } as const;
    const changed = await probes.findOneAndUpdate({ _id: 'c' }, { $inc: { number: 5 } }, options);
    if (changed?.number !== 5) throw new Error('the changed document is not returned');
  },
  'array filters': (probes) =>
    probes.updateOne({ _id: 'a' }, { $set: { 'tags.$[one]': 'y' } }, { arrayFilters: [{ one: 'x' }] }),
  'aggregation ($match, $set, $group, $sort)': async (probes) => {
    const stages = [
      { $match: { number: { $gt: 0 } } },
      { $set: { many: { $ifNull: ['$number', 0] } } },
      { $group: { _id: null, count: { $sum: 1 }, many: { $max: '$many' }, ids: { $push: '$_id' } } },
      { $sort: { count: -1 } },
    ];
    if ((await probes.aggregate(stages).toArray()).length !== 1) throw new Error('the group is not returned');
  },
};

/** Probes the server of MONGODB_URI. @throws StartError that lists all missing features. */
export async function requireDatabaseFeatures(connection: Connection): Promise<void> {
  const probes = openDatabase(connection).collection<Probed>(`probes_${randomUUID().replaceAll('-', '')}`);
  const missing: string[] = [];
  try {
    for (const [name, probe] of Object.entries(requiredFeatures)) {
      try {
        await probe(probes as never);
      } catch (error) {
        if (name === 'reading and writing') {
          throw new StartError(`The database of MONGODB_URI cannot be used: ${reasonOf(error)}`);
        }
        missing.push(`${name} (${reasonOf(error).replace(/\.$/, '')})`);
      }
    }
  } finally {
    await probes.drop().catch(() => undefined);
  }
  if (missing.length === 0) return;
  throw new StartError(
    `The database of MONGODB_URI lacks required features: ${missing.join('; ')}. Use MongoDB 7 or newer, or one of the servers in docs/operators/database.md.`,
  );
}
