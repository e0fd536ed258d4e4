import { BSONRegExp, Decimal128, Double } from 'bson';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { Yielder } from '../event-loop/yielder.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { Storage } from '../storage/storage.ts';
import { show } from '../values/show.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { countHits } from './count-hits.ts';
import { findHits } from './find.ts';
import { makePlan } from './plan.ts';

// A busy machine can be slow.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let storage: Storage;

beforeEach(() => {
  storage = new Storage(':memory:', 'off');
});

afterEach(() => storage.close());

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));

function insert(collection: StoredCollection, document: BsonDocument): void {
  collection.insert(encodeDocument(document), document);
}

function addIndex(collection: StoredCollection, key: Map<string, number>, more: Record<string, BsonValue> = {}): void {
  const name = [...key].map(([path, direction]) => `${path}_${direction}`).join('_');
  collection.addIndex(doc({ v: 2, key, name: `${name}${Object.keys(more).join('_')}`, ...more }));
}

/** A seeded random generator (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomFrom(7);
const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
const patterns = ['^a', '^ab', '^a.', 'b$', '^a*', 'a'];
const scalars: BsonValue[] = [
  null,
  0,
  1,
  2,
  new Double(1),
  new Double(1.5),
  2n,
  Decimal128.fromString('1.5'),
  'a',
  'ab',
  'b',
  true,
  new Date(5),
];
const fields = ['a', 'b', 'c.d'];

const storedPatterns = patterns.map((pattern) => new BSONRegExp(pattern));

function randomValue(): BsonValue {
  const one = (): BsonValue => pick(random() < 0.2 ? storedPatterns : scalars);
  return random() < 0.3 ? Array.from({ length: Math.floor(random() * 3) }, one) : one();
}

function randomDocument(id: number): BsonDocument {
  const document = doc({ _id: id });
  for (const field of ['a', 'b']) if (random() < 0.8) document.set(field, randomValue());
  const inner = (): BsonDocument => doc(random() < 0.8 ? { d: randomValue() } : {});
  if (random() < 0.8) document.set('c', random() < 0.3 ? [inner(), inner()] : inner());
  return document;
}

function randomCondition(): BsonValue {
  const operator = pick([
    '$eq',
    '$in',
    '$gt',
    '$gte',
    '$lt',
    '$lte',
    '$ne',
    '$exists',
    'plain',
    'range',
    '$regex',
    '$all',
  ]);
  switch (operator) {
    case 'plain':
      return pick(scalars);
    case 'range':
      return doc({ $gte: pick(scalars), $lt: pick(scalars) });
    case '$in':
      return doc({ $in: [pick(scalars), pick(scalars), pick(random() < 0.3 ? storedPatterns : scalars)] });
    case '$all':
      return doc({ $all: [pick(scalars)] });
    case '$exists':
      return doc({ $exists: random() < 0.5 });
    case '$regex':
      return doc({ $regex: pick(patterns) });
    default:
      return doc({ [operator]: pick(scalars) });
  }
}

function randomFilter(): BsonDocument {
  const filter = new Map(fields.filter(() => random() < 0.6).map((field) => [field, randomCondition()]));
  if (random() < 0.2) filter.set('$or', [doc({ a: randomCondition() }), doc({ b: randomCondition() })]);
  if (random() < 0.2) filter.set('$and', [doc({ a: randomCondition() })]);
  return filter;
}

test('every index gives the result of a full scan, in the requested order', async () => {
  const plain = storage.ensure('test', 'plain');
  const indexed = storage.ensure('test', 'indexed');
  for (let id = 0; id < 120; id++) {
    const document = randomDocument(id);
    insert(plain, document);
    insert(indexed, document);
  }
  const keys: [string, number][][] = [
    [['a', 1]],
    [['b', -1]],
    [['c.d', 1]],
    [
      ['a', 1],
      ['b', -1],
    ],
    [
      ['b', 1],
      ['c.d', 1],
      ['a', 1],
    ],
  ];
  for (const key of keys) addIndex(indexed, new Map(key));
  addIndex(indexed, new Map([['a', -1]]), { sparse: true });
  addIndex(indexed, new Map([['b', 1]]), { partialFilterExpression: doc({ b: doc({ $exists: true }) }) });
  let viaIndex = 0;
  for (let round = 0; round < 400; round++) {
    const filter = randomFilter();
    const sort = random() < 0.5 ? new Map([[pick(fields), pick([1, -1])] as [string, number], ['_id', 1]]) : undefined;
    if (makePlan(indexed, filter, []).kind !== 'collection') viaIndex++;
    const [expected, actual] = await Promise.all(
      [plain, indexed].map(async (collection) => {
        const hits = await findHits(collection, { filter, sort }, new Yielder());
        const ids = hits.map(({ bytes }) => decodeDocument(bytes!).get('_id') as number);
        return sort ? ids : ids.sort((x, y) => x - y);
      }),
    );
    expect(actual, `${show(filter)} sorted by ${show(sort)}`).toEqual(expected);
    expect(await countHits(indexed, { filter }, new Yielder())).toBe(expected!.length);
  }
  expect(viaIndex).toBeGreaterThan(200);
});

test('an index finds the documents of a full scan after updates and deletes', async () => {
  const collection = storage.ensure('test', 'changing');
  addIndex(collection, new Map([['a', 1]]));
  addIndex(
    collection,
    new Map([
      ['c.d', -1],
      ['b', 1],
    ]),
  );
  for (let id = 0; id < 200; id++) insert(collection, randomDocument(id));
  for (const { id: row, bytes } of await findHits(collection, { filter: new Map() }, new Yielder())) {
    const before = decodeDocument(bytes!);
    if (random() < 0.3) collection.remove(row, before);
    else {
      const after = randomDocument(before.get('_id') as number);
      collection.update(row, before, encodeDocument(after), after);
    }
  }
  for (let round = 0; round < 150; round++) {
    const filter = randomFilter();
    const byScan = await findHits(collection, { filter, hint: doc({ $natural: 1 }) }, new Yielder());
    const byIndex = await findHits(collection, { filter }, new Yielder());
    const ids = (hits: { id: number }[]): number[] => hits.map(({ id }) => id).sort((x, y) => x - y);
    expect(ids(byIndex), show(filter)).toEqual(ids(byScan));
  }
});
