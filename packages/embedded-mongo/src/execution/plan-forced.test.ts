import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { encodeDocument } from '../bson/encode.ts';
import { Yielder } from '../event-loop/yielder.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { openCountedStorage, randomFrom, type CountedStorage } from '../testing/counted-storage.ts';
import { show } from '../values/show.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { findHits } from './find.ts';
import type { Hint } from './plan.ts';
import type { CollectionQuery } from './query.ts';

/**
 * `PLANNER_QUERIES=2000 npm test -- packages/embedded-mongo/src/execution/plan-forced.test.ts` is the whole measurement,
 * `PLANNER_SEED` other data.
 */
const queries = Number(process.env['PLANNER_QUERIES'] ?? 100);
vi.setConfig({ testTimeout: 60_000 + queries * 200, hookTimeout: 60_000 });

const queriesPerCollection = 50;
const documentCount = 400;

let database: CountedStorage;
beforeEach(() => {
  database = openCountedStorage();
});
afterEach(() => database.storage.close());

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));

const random = randomFrom(Number(process.env['PLANNER_SEED'] ?? 5));
const below = (count: number): number => Math.floor(random() * count);
const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)]!;

/** As organizations, states, kinds, names and lists of tags: numbers, texts, missing values, nulls and arrays. */
const values = {
  org: () => below(3),
  state: () => `s${Math.floor(random() ** 3 * 5)}`,
  kind: () => (random() < 0.3 ? undefined : below(12)),
  at: () => (random() < 0.1 ? null : below(300)),
  tags: () => Array.from({ length: below(4) }, () => Math.floor(random() ** 2 * 15)),
  key: () => (random() < 0.8 ? undefined : below(100)),
};
type Field = keyof typeof values;
const fields = Object.keys(values) as Field[];

function makeCollection(name: string): { collection: StoredCollection; hints: string[] } {
  const collection = database.storage.ensure('test', name);
  const hints: string[] = [];
  for (let at = 2 + below(6); at > 0; at -= 1) {
    const key = fields.toSorted(() => random() - 0.5).slice(0, 1 + below(3));
    // An index has at most one field with lists.
    const index = new Map(key.map((field) => [field, pick([1, -1])]));
    const own = [...index].flat().join('_');
    if (hints.includes(own)) continue;
    const kind = random();
    const options = kind < 0.15 && index.size === 1 ? { sparse: true } : {};
    collection.addIndex(doc({ v: 2, key: index, name: own, ...options }));
    // A sparse index lacks documents, so that it is not forced.
    if (!('sparse' in options)) hints.push(own);
  }
  for (let id = 0; id < documentCount; id += 1) {
    const given = Object.entries(values).flatMap(([field, value]) => {
      const own = value();
      return own === undefined ? [] : [[field, own] as const];
    });
    const document = doc({ _id: id, ...Object.fromEntries(given) });
    collection.insert(encodeDocument(document), document);
  }
  return { collection, hints: ['_id_', ...hints] };
}

function valueOf(field: Field): BsonValue {
  const value = values[field]();
  if (Array.isArray(value)) return below(15);
  return value ?? null;
}

function condition(field: Field): BsonValue {
  const kind = random();
  if (kind < 0.5) return valueOf(field);
  if (kind < 0.7) return doc({ $in: Array.from({ length: 1 + below(6) }, () => valueOf(field)) });
  if (kind < 0.8) return doc({ $exists: random() < 0.7 });
  if (kind < 0.85) return doc({ $ne: valueOf(field) });
  if (field === 'tags' && kind < 0.95) return doc({ $all: [below(15), below(15)] });
  const low = field === 'state' ? 's1' : below(field === 'at' ? 300 : 20);
  return random() < 0.5 ? doc({ $gte: low }) : doc({ $lt: low });
}

const conditions = (share: number): BsonDocument =>
  new Map(fields.filter(() => random() < share).map((field) => [field, condition(field)]));

function randomQuery(): CollectionQuery {
  const filter = conditions(0.4);
  if (random() < 0.15)
    filter.set('_id', doc({ $in: Array.from({ length: 1 + below(40) }, () => below(documentCount)) }));
  if (random() < 0.15) filter.set('$or', [conditions(0.4), conditions(0.4)]);
  if (random() < 0.15) filter.set('$and', [conditions(0.3), doc({ $or: [conditions(0.3), conditions(0.3)] })]);
  if (random() < 0.5) return { filter };
  const order = fields.filter((field) => field !== 'tags' && random() < 0.3).slice(0, 2);
  const sort = new Map([...order, '_id'].map((field) => [field, pick([1, -1])]));
  return { filter, sort, limit: 1 + below(30) };
}

async function reads(collection: StoredCollection, query: CollectionQuery, hint?: Hint) {
  database.takeReads();
  const hits = await findHits(collection, { ...query, ...(hint && { hint }) }, new Yielder());
  return { read: database.takeReads(), ids: hits.map(({ bytes }) => bytes!.toString('latin1')) };
}

test(`a query reads at most twice the documents of the best forced index: ${queries} queries`, async () => {
  const worse: string[] = [];
  const unlucky: string[] = [];
  const sums = { chosen: 0, best: 0, scanned: 0 };
  let made = makeCollection('things');
  for (let round = 0; round < queries; round += 1) {
    if (round > 0 && round % queriesPerCollection === 0) made = makeCollection(`things ${round}`);
    const query = randomQuery();
    const { collection, hints } = made;
    const chosen = await reads(collection, query);
    const scanned = await reads(collection, query, doc({ $natural: 1 }));
    expect(query.sort ? chosen.ids : chosen.ids.toSorted(), show(query.filter)).toEqual(
      query.sort ? scanned.ids : scanned.ids.toSorted(),
    );
    let [best, fewest] = ['no index', scanned.read];
    for (const hint of hints) {
      const { read } = await reads(collection, query, hint);
      if (read < fewest) [best, fewest] = [hint, read];
    }
    sums.chosen += chosen.read;
    sums.best += fewest;
    sums.scanned += scanned.read;
    // A walk reads 16 documents at once.
    if (chosen.read <= 2 * fewest + 16) continue;
    (query.limit === undefined ? worse : unlucky).push(
      `${chosen.read} instead of ${fewest} by ${best} of ${hints.join(', ')}: ${show(query.filter)} sorted by ${show(query.sort)} limit ${query.limit}`,
    );
  }
  if (queries > 100) console.log({ queries, worse: worse.length, unlucky, ...sums });
  expect(worse).toEqual([]);
  // With a limit, the best of several orders has its first matches early by chance.
  expect(unlucky.length, unlucky.join('\n')).toBeLessThanOrEqual(queries / 50);
});
