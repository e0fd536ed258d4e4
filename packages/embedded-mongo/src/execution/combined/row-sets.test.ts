import { ObjectId } from 'bson';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { encodeDocument } from '../../bson/encode.ts';
import { Yielder } from '../../event-loop/yielder.ts';
import type { StoredCollection } from '../../storage/collection.ts';
import { SubstringIndex } from '../../storage/substring-index.ts';
import { openCountedStorage, type CountedStorage } from '../../testing/counted-storage.ts';
import type { BsonDocument, BsonValue } from '../../values/value.ts';
import { countHits } from '../count-hits.ts';
import { findHits } from '../find.ts';
import { makePlan } from '../plan.ts';

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));
const idOf = (at: number) => new ObjectId(at.toString(16).padStart(24, '0'));
/** So many that the rows of “open” are kept, and those of “failed” are read each time. */
const count = 6_000;
const within = { owner: 1, deleted: null };

let counted: CountedStorage;
let indexed: StoredCollection;
let plain: StoredCollection;
const documents = new Map<number, BsonDocument>();

function documentOf(at: number, changes: Record<string, BsonValue> = {}): BsonDocument {
  return doc({
    _id: idOf(at),
    owner: at % 20 === 7 ? 2 : 1,
    deleted: null,
    at: new Date(((at * 7) % 5_000) * 1_000),
    name: `${at % 2 ? 'invoice' : 'contract'} ${(at * 7919) % 10_007} of customer ${at % 10}`,
    size: (at * 31) % 1_000,
    // The two agree in every thousandth document alone.
    state: at % 1_000 === 0 || at % 4 === 1 ? 'failed' : 'read',
    stage: at % 4 === 1 ? 'done' : 'open',
    tags: at % 3 === 0 ? ['a', 'b'].slice(0, 1 + (at % 2)) : [],
    ...(at % 2_000 === 0 && { marks: [doc({ state: 'out' })] }),
    ...(at % 50 === 0 && { gone: at % 100 === 0 ? null : 1 }),
    ...changes,
  });
}

beforeAll(() => {
  counted = openCountedStorage();
  const made = ['indexed', 'plain'].map((name) => counted.storage.ensure('test', name));
  [indexed, plain] = made as [StoredCollection, StoredCollection];
  for (const path of ['', 'state', 'stage', 'tags', 'marks.state', 'size', 'name']) {
    const ends =
      path === 'size' || path === 'name' ? { [path]: 1, _id: 1 } : { ...(path && { [path]: 1 }), at: -1, _id: -1 };
    indexed.addIndex(doc({ v: 2, key: doc({ owner: 1, deleted: 1, ...ends }), name: `by ${path}` }));
  }
  indexed.addIndex(doc({ v: 2, key: doc({ gone: 1 }), name: 'gone', sparse: true }));
  indexed.addIndex(doc({ v: 2, key: doc({ key: 1 }), name: 'key', sparse: true, unique: true }));
  for (let at = 0; at < count; at += 1) {
    const document = documentOf(at);
    documents.set(at, document);
    for (const collection of made) collection.insert(encodeDocument(document), document);
  }
  const names = doc({ name: 'names', type: 'substring', path: 'name', within: ['owner', 'deleted'] });
  indexed.addSearchTable(names, (id) => new SubstringIndex(counted.storage, id, names));
  while (indexed.build(indexed.searchTables[0] as SubstringIndex, 1_000));
}, 120_000);
afterAll(() => counted.storage.close());

const failedAndOpen = { ...within, state: 'failed', stage: 'open' };
const filters: Record<string, Record<string, BsonValue>> = {
  'two fields that rarely agree': failedAndOpen,
  'two fields that often agree': { ...within, state: 'read', stage: 'open' },
  'a field and no value in another': { ...failedAndOpen, gone: null },
  'two values of an array': { ...within, tags: doc({ $all: ['a', 'b'] }), stage: 'done' },
  'not one value': { ...failedAndOpen, 'marks.state': doc({ $ne: 'out' }) },
  'a part of the name and a field': { ...within, name: doc({ $regex: 'customer 2' }), stage: 'open' },
  'a part of many names and two fields': { ...failedAndOpen, name: doc({ $regex: 'contract' }) },
  'alternatives and a field': {
    ...within,
    $or: [doc({ stage: 'open' }), doc({ _id: doc({ $in: [idOf(1), idOf(3)] }), gone: null })],
    state: 'failed',
  },
  'behind a place in the order': { $and: [doc(failedAndOpen), doc({ at: doc({ $lte: new Date(2_000_000) }) })] },
  'not some ids': { ...failedAndOpen, _id: doc({ $nin: [idOf(0), idOf(2_000)] }) },
  'one of some values': { ...within, state: doc({ $in: ['failed', 'lost'] }), stage: 'open' },
};
const orders: Record<string, 1 | -1>[] = [
  { at: -1, _id: -1 },
  { size: 1, _id: 1 },
  { name: -1, _id: -1 },
];

const rowsOf = (hits: { id: number }[]) => hits.map(({ id }) => id);

/** Compares pages and counts with those of a collection without indexes. */
async function expectTheSame(filter: BsonDocument) {
  for (const order of orders) {
    const sort = doc(order);
    const all = rowsOf(await findHits(plain, { filter, sort }, new Yielder()));
    expect(all.length).toBeGreaterThan(0);
    for (const [skip, limit] of [
      [0, 5],
      [4, 5],
      [0, 0],
    ] as const) {
      const hits = await findHits(indexed, { filter, sort, skip, limit }, new Yielder());
      expect(rowsOf(hits)).toEqual(all.slice(skip, limit ? skip + limit : undefined));
    }
    const unsorted = await findHits(indexed, { filter }, new Yielder());
    expect(new Set(rowsOf(unsorted))).toEqual(new Set(all));
    for (const limit of [0, 3])
      expect(await countHits(indexed, { filter, limit }, new Yielder())).toBe(Math.min(limit || Infinity, all.length));
  }
}

test.each(Object.entries(filters))('%s: the same in all orders as without indexes', async (_, fields) => {
  await expectTheSame(doc(fields));
});

test('few documents are read for a page, and none for a count, however many have one of two values', async () => {
  for (const fields of Object.values(filters).filter((own) => own['state'] === 'failed' && own['stage'] === 'open')) {
    for (const sort of orders) {
      counted.takeReads();
      await findHits(indexed, { filter: doc(fields), sort: doc(sort), limit: 5 }, new Yielder());
      expect(counted.takeReads()).toBeLessThan(150);
    }
    await countHits(indexed, { filter: doc(fields), limit: 10_001 }, new Yielder());
    expect(counted.takeReads()).toBe(0);
  }
});

test('of the documents with one of many values those are read, not all that have another condition', async () => {
  // More than sets of rows are made for, in a fifth of the documents.
  const sizes = Array.from({ length: 200 }, (_, at) => at * 5);
  const filter = doc({ ...within, size: doc({ $in: sizes }), stage: 'open' });
  counted.takeReads();
  const found = await findHits(indexed, { filter }, new Yielder());
  expect(counted.takeReads()).toBeLessThanOrEqual(count / 5);
  expect(new Set(rowsOf(found))).toEqual(new Set(rowsOf(await findHits(plain, { filter }, new Yielder()))));
});

test('entries of sets in memory are not counted again to choose a plan', async () => {
  const filter = doc(filters['two fields that often agree']!);
  await countHits(indexed, { filter }, new Yielder());
  const statement = vi.spyOn(counted.storage, 'statement');
  makePlan(indexed, filter, []);
  expect(statement.mock.calls.flat().filter((sql) => sql.includes('LIMIT'))).toEqual([]);
  statement.mockRestore();
});

test('documents that were inserted, changed or removed since, also in vain, are found as they are', async () => {
  const change = (at: number, changes: Record<string, BsonValue>) => {
    const after = documentOf(at, changes);
    for (const collection of [indexed, plain])
      collection.update(at + 1, documents.get(at)!, encodeDocument(after), after);
    documents.set(at, after);
  };
  change(2, { state: 'failed', key: 'taken' });
  change(1_000, { state: 'read' });
  change(3_000, { at: new Date(1) });
  change(4_000, { deleted: new Date() });
  for (const collection of [indexed, plain]) {
    collection.remove(5_001, documents.get(5_000)!);
    const added = documentOf(count + 2, { state: 'failed' });
    collection.insert(encodeDocument(added), added);
  }
  // Its keys are written before the last index refuses it.
  const refused = documentOf(count + 4, { state: 'failed', key: 'taken' });
  expect(() => indexed.insert(encodeDocument(refused), refused)).toThrow(/E11000/u);
  counted.storage.commit();
  for (const name of ['two fields that rarely agree', 'two fields that often agree'])
    await expectTheSame(doc(filters[name]!));
});
