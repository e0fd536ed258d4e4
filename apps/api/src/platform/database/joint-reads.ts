import { setImmediate } from 'node:timers';
import type { Connection, Model, mongo, QueryFilter } from 'mongoose';
import { isDatabaseUnavailable } from './connection.ts';

type Selection = Pick<mongo.FindOptions, 'projection' | 'sort' | 'skip' | 'limit'>;

interface Read {
  collection: mongo.Collection;
  filter: () => mongo.Document;
  selection: Selection;
  resolve: (found: never[]) => void;
  reject: (error: unknown) => void;
}

/** Reads per command. */
const maxReads = 50;
/** Records of the first batch: more than a request reads, so that few answers need a second command. */
const batchSize = 1_000;

const waiting = new WeakMap<Connection, Read[]>();

/**
 * Reads records. The reads that start in one turn of the event loop go to the database in one command, since a command
 * costs far more than a record in it. It is sent after each of them was requested, so that each sees all writes up to then;
 * each caller learns only of its own failure. The filter is not cast, and a filter that is a function is asked for when the
 * command is sent.
 */
export function readTogether<Stored>(
  model: Model<Stored>,
  filter: QueryFilter<Stored> | (() => QueryFilter<Stored>),
  selection: Selection = {},
): Promise<Stored[]> {
  return new Promise((resolve, reject) => {
    const reads = waiting.get(model.db) ?? [];
    if (reads.length === 0) {
      waiting.set(model.db, reads);
      setImmediate(() => start(model.db));
    }
    const collection = model.collection as unknown as mongo.Collection;
    reads.push({
      collection,
      filter: typeof filter === 'function' ? filter : () => filter,
      selection,
      resolve,
      reject,
    });
  });
}

function start(connection: Connection): void {
  const reads = waiting.get(connection) ?? [];
  waiting.delete(connection);
  const settled = reads.flatMap((read) => {
    try {
      return { ...read, filter: read.filter() };
    } catch (error) {
      read.reject(error);
      return [];
    }
  });
  for (let at = 0; at < settled.length; at += maxReads) void run(settled.slice(at, at + maxReads));
}

type SettledRead = Omit<Read, 'filter'> & { filter: mongo.Document };

async function run(reads: readonly SettledRead[]): Promise<void> {
  const [first, ...others] = reads;
  if (first === undefined) return;
  try {
    if (others.length === 0) {
      const { collection, filter, selection } = first;
      first.resolve((await collection.find(filter, { ...selection, batchSize }).toArray()) as never[]);
      return;
    }
    const unions = others.map((read, index) => ({
      $unionWith: { coll: read.collection.collectionName, pipeline: stagesOf(read, index + 1) },
    }));
    const pipeline = [...stagesOf(first, 0), ...unions];
    const records = await first.collection.aggregate(pipeline, { batchSize }).toArray();
    const found = reads.map((): never[] => []);
    for (const { of, record } of records) found[of as number]?.push(record as never);
    reads.forEach(({ resolve }, index) => resolve(found[index]!));
  } catch (error) {
    // One after the other, they would only wait for the same database again.
    if (others.length === 0 || isDatabaseUnavailable(error)) for (const { reject } of reads) reject(error);
    else await Promise.all(reads.map((read) => run([read])));
  }
}

/** The stages of a read. Its records are marked with its place among the reads of the command. */
function stagesOf(
  { filter, selection: { sort, skip = 0, limit, projection } }: SettledRead,
  of: number,
): mongo.Document[] {
  return [
    { $match: filter },
    ...(sort ? [{ $sort: sort }] : []),
    ...(skip > 0 ? [{ $skip: skip }] : []),
    ...(!limit ? [] : [{ $limit: limit }]),
    ...(projection ? [{ $project: projection }] : []),
    { $project: { _id: 0, of: { $literal: of }, record: '$$ROOT' } },
  ];
}
