import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { Yielder } from '../event-loop/yielder.ts';
import { compileFilter } from '../query/filter.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { openCountedStorage, randomFrom, type CountedStorage } from '../testing/counted-storage.ts';
import { show } from '../values/show.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { findHits } from './find.ts';
import type { CollectionQuery } from './query.ts';

/** `PLANNER_QUERIES=2000 npm test -- packages/embedded-mongo/src/execution/plan-choice.test.ts` is the whole measurement. */
const queries = Number(process.env['PLANNER_QUERIES'] ?? 100);
vi.setConfig({ testTimeout: 60_000 + queries * 100, hookTimeout: 60_000 });

const queriesPerCollection = 50;
const documentCount = 500;

let database: CountedStorage;
beforeEach(() => {
  database = openCountedStorage();
});
afterEach(() => database.storage.close());

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));

const random = randomFrom(11);
const below = (count: number): number => Math.floor(random() * count);
const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)]!;
/** Fields with 2 to 400 values, evenly spread or, for the odd ones, mostly the smallest. */
const cardinalities = { a: 2, b: 6, c: 20, d: 80, e: 400 };
type Field = keyof typeof cardinalities;
const fields = Object.keys(cardinalities) as Field[];
const valueOf = (field: Field): number => {
  const share = 'bd'.includes(field) ? random() ** 4 : random();
  return Math.floor(share * cardinalities[field]);
};

type Index = [Field, 1 | -1][];

const randomIndex = (): Index =>
  fields
    .toSorted(() => random() - 0.5)
    .slice(0, 1 + below(3))
    .map((field) => [field, pick([1, -1])]);

interface Made {
  collection: StoredCollection;
  documents: BsonDocument[];
  indexes: Index[];
}

function makeCollection(name: string): Made {
  const collection = database.storage.ensure('test', name);
  const indexes = Array.from({ length: 2 + below(5) }, randomIndex);
  for (const index of new Map(indexes.map((key) => [key.flat().join('_'), key])).values()) {
    collection.addIndex(doc({ v: 2, key: new Map(index), name: index.flat().join('_') }));
  }
  const documents = Array.from({ length: documentCount }, (_, id) =>
    doc({ _id: id, ...Object.fromEntries(fields.map((field) => [field, valueOf(field)])) }),
  );
  for (const document of documents) collection.insert(encodeDocument(document), document);
  return { collection, documents, indexes };
}

function randomCondition(field: Field): BsonValue {
  const kind = random();
  if (kind < 0.55) return valueOf(field);
  if (kind < 0.8) return doc({ $in: Array.from({ length: 1 + below(10) }, () => valueOf(field)) });
  const low = valueOf(field);
  return kind < 0.9 ? doc({ $gte: low }) : doc({ $gte: low, $lt: low + 1 + below(cardinalities[field] / 2) });
}

const randomConditions = (share: number): BsonDocument =>
  new Map(fields.filter(() => random() < share).map((field) => [field, randomCondition(field)]));

const otherConditions = (than: BsonDocument): BsonDocument =>
  new Map([...randomConditions(0.4)].filter(([path]) => !than.has(path)));

function randomQuery(): CollectionQuery {
  const filter = randomConditions(0.5);
  if (random() < 0.1)
    filter.set('_id', doc({ $in: Array.from({ length: 1 + below(250) }, () => below(documentCount)) }));
  if (random() < 0.2) filter.set('$or', [otherConditions(filter), otherConditions(filter)]);
  if (random() < 0.5) return { filter };
  return { filter, sort: new Map([[pick(fields), pick([1, -1])]]), limit: 1 + below(30) };
}

const isPoint = (condition: BsonValue): boolean => !(condition instanceof Map) || condition.has('$in');

/** The fewest documents that any way through the indexes reads, by trying each on the documents themselves. */
function fewestReads({ documents, indexes }: Made, { filter, sort, limit }: CollectionQuery): number {
  const keys: string[][] = [['_id'], ...indexes.map((index) => index.map(([field]) => field))];
  const count = (wanted: BsonDocument): number =>
    documents.filter((document) => compileFilter(wanted)(document)).length;
  const narrowest = (wanted: BsonDocument): number =>
    Math.min(documents.length, ...keys.map((key) => count(narrowedBy(key, wanted))));
  let fewest = narrowest(filter);
  const branches = filter.get('$or');
  if (Array.isArray(branches)) {
    const rest = [...filter].filter(([name]) => name !== '$or');
    // A document that is in several branches may be read once for each.
    const reads = (branches as BsonDocument[]).map((branch) => narrowest(both(new Map(rest), branch)));
    fewest = Math.min(
      fewest,
      reads.reduce((sum, next) => sum + next),
    );
  }
  if (!sort || !limit) return fewest;
  const [[field, direction]] = [...sort] as [[Field, number]];
  const matches = compileFilter(filter);
  for (const index of indexes) {
    const at = index.findIndex(([path]) => path === field);
    const fixed = index.slice(0, at).map(([path]) => path);
    if (at < 0 || !fixed.every((path) => filter.has(path) && !(filter.get(path) instanceof Map))) continue;
    const inRange = compileFilter(
      new Map([...fixed, field].flatMap((path) => (filter.has(path) ? [[path, filter.get(path)!]] : []))),
    );
    const walked = documents
      .filter((document) => inRange(document))
      .toSorted((x, y) => inIndexOrder(index, x, y) * direction * index[at]![1]);
    let found = 0;
    const last = walked.findIndex((document) => matches(document) && ++found === limit);
    fewest = Math.min(fewest, last < 0 ? walked.length : last + 1);
  }
  return fewest;
}

function inIndexOrder(index: Index, x: BsonDocument, y: BsonDocument): number {
  for (const [path, direction] of [...index, ['_id', 1] as const]) {
    const difference = (x.get(path) as number) - (y.get(path) as number);
    if (difference !== 0) return difference * direction;
  }
  return 0;
}

/** One filter of the conditions of two. */
const both = (one: BsonDocument, other: BsonDocument): BsonDocument => new Map([...one, ...other]);

/** The conditions that an index can use: equalities from the left, then one range. */
function narrowedBy(key: readonly string[], filter: BsonDocument): BsonDocument {
  const used: BsonDocument = new Map();
  for (const path of key) {
    if (!filter.has(path)) break;
    used.set(path, filter.get(path)!);
    if (!isPoint(filter.get(path)!)) break;
  }
  return used;
}

test(`a query reads at most twice the documents of the best way: ${queries} queries over random indexes`, async () => {
  let made = makeCollection('things');
  const worse: string[] = [];
  const unlucky: string[] = [];
  let total = 0;
  let best = 0;
  for (let round = 0; round < queries; round++) {
    if (round > 0 && round % queriesPerCollection === 0) made = makeCollection(`things ${round}`);
    const query = randomQuery();
    const { collection } = made;
    database.takeReads();
    const hits = await findHits(collection, query, new Yielder());
    const read = database.takeReads();
    const scanned = await findHits(collection, { ...query, hint: doc({ $natural: 1 }) }, new Yielder());
    if (query.limit) expect(hits.length).toBe(scanned.length);
    else expect(idsOf(hits)).toEqual(idsOf(scanned));
    const fewest = fewestReads(made, query);
    total += read;
    best += fewest;
    // A walk reads 16 documents at once.
    if (read <= 2 * fewest + 16) continue;
    (query.limit ? unlucky : worse).push(
      `${read} instead of ${fewest}: ${show(query.filter)} sorted by ${show(query.sort)} limit ${query.limit}`,
    );
  }
  if (queries > 100) console.log({ queries, total, best, ratio: total / best, unlucky });
  expect(worse).toEqual([]);
  // With a limit, the best of several orders has its first matches early by chance.
  expect(unlucky.length, unlucky.join('\n')).toBeLessThanOrEqual(queries / 50);
  expect(total).toBeLessThan(1.2 * best);
});

const idsOf = (hits: { bytes: Buffer | undefined }[]): number[] =>
  hits.map(({ bytes }) => decodeDocument(bytes!).get('_id') as number).sort((x, y) => x - y);
