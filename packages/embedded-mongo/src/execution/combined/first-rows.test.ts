import { ObjectId } from 'bson';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeDocument } from '../../bson/encode.ts';
import { Yielder } from '../../event-loop/yielder.ts';
import type { StoredCollection } from '../../storage/collection.ts';
import { SubstringIndex } from '../../storage/substring-index.ts';
import { openCountedStorage, type CountedStorage } from '../../testing/counted-storage.ts';
import type { BsonDocument, BsonValue } from '../../values/value.ts';
import { findHits } from '../find.ts';

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));
const idOf = (at: number) => new ObjectId(at.toString(16).padStart(24, '0'));
/** A walk looks at 20,000 entries at once. Those that match are the last of many in the order of sizes. */
const count = 80_000;
const matching = 1_500;
/** More than are counted to choose a plan. */
const late = 25_000;
const within = { owner: 1, deleted: null };

let counted: CountedStorage;
let collection: StoredCollection;
/** Steps in which a walk looked for entries of some rows. */
let walked = 0;

const documentOf = (at: number, changes: Record<string, BsonValue> = {}): BsonDocument =>
  doc({
    _id: idOf(at),
    ...within,
    size: at,
    name: at >= count - matching ? 'contract' : at >= count - late ? 'late invoice' : 'invoice',
    stage: at >= count - matching ? 'open' : 'done',
    // Half of all.
    state: at % 2 ? 'read' : 'failed',
    ...changes,
  });

beforeAll(() => {
  counted = openCountedStorage();
  const statement = counted.storage.statement.bind(counted.storage);
  counted.storage.statement = (sql) => {
    if (
      sql.includes('substr(?, x.rid') ||
      sql.includes('x.rid IN (SELECT s.rid') ||
      sql.includes('EXISTS (SELECT 1 FROM s')
    )
      walked += 1;
    return statement(sql);
  };
  collection = counted.storage.ensure('test', 'documents');
  for (const path of ['state', 'stage', 'size'])
    collection.addIndex(doc({ v: 2, key: doc({ owner: 1, deleted: 1, [path]: 1, _id: 1 }), name: `by ${path}` }));
  for (let at = 0; at < count; at += 1) {
    const document = documentOf(at);
    collection.insert(encodeDocument(document), document);
  }
  const names = doc({ name: 'names', type: 'substring', path: 'name', within: ['owner', 'deleted'] });
  collection.addSearchTable(names, (id) => new SubstringIndex(counted.storage, id, names));
  while (collection.build(collection.searchTables[0] as SubstringIndex, 10_000));
  counted.storage.commit();
}, 120_000);
afterAll(() => counted.storage.close());

const filters: Record<string, Record<string, BsonValue>> = {
  'two fields': { ...within, stage: 'open', state: doc({ $in: ['read', 'failed'] }) },
  'a part of the name': { ...within, name: doc({ $regex: 'contract' }) },
  'a part of the name and a field': { ...within, name: doc({ $regex: 'contract' }), stage: 'open' },
};

const sizesOf = async (filter: Record<string, BsonValue>, size: 1 | -1, skip = 0) => {
  const query = { filter: doc(filter), sort: doc({ size, _id: size }), skip, limit: 5 };
  return (await findHits(collection, query, new Yielder())).map(({ id }) => id - 1);
};

async function walkedFor(filter: Record<string, BsonValue>): Promise<number> {
  walked = 0;
  await sizesOf(filter, 1);
  return walked;
}

test.each(Object.entries(filters))(
  '%s: those that come last in an order are found without a walk',
  async (_, filter) => {
    const first = count - matching;
    expect(await sizesOf(filter, 1)).toEqual([0, 1, 2, 3, 4].map((at) => first + at));
    // The order is read beside other commands.
    await expect.poll(() => walkedFor(filter), { timeout: 20_000 }).toBe(0);
    counted.takeReads();
    expect(await sizesOf(filter, 1)).toEqual([0, 1, 2, 3, 4].map((at) => first + at));
    expect(await sizesOf(filter, 1, 10)).toEqual([10, 11, 12, 13, 14].map((at) => first + at));
    expect(await sizesOf(filter, -1)).toEqual([1, 2, 3, 4, 5].map((at) => count - at));
    expect(walked).toBe(0);
    expect(counted.takeReads()).toBeLessThan(400);
  },
);

test('many with a part of the name that come last in an order are found after a short walk', async () => {
  const filter = { ...within, name: doc({ $regex: 'late' }) };
  walked = 0;
  expect(await sizesOf(filter, 1)).toEqual([0, 1, 2, 3, 4].map((at) => count - late + at));
  expect(walked).toBeLessThan(10);
  expect(await sizesOf(filter, 1, 700)).toEqual([700, 701, 702, 703, 704].map((at) => count - late + at));
  expect(await sizesOf(filter, -1)).toEqual([1, 2, 3, 4, 5].map((at) => count - matching - at));
});

test('the order follows writes, also those that are undone', async () => {
  const filter = filters['two fields']!;
  const change = (at: number, before: BsonDocument, after: BsonDocument) =>
    collection.update(at + 1, before, encodeDocument(after), after);
  const last = count - 1;
  change(last, documentOf(late), documentOf(last, { size: -1 }));
  collection.remove(count - matching + 1, documentOf(count - matching));
  counted.storage.commit();
  const undone = () =>
    counted.storage.atomically(() => {
      change(last - 1, documentOf(last - 1), documentOf(last - 1, { size: -2 }));
      throw new Error('undone');
    });
  expect(undone).toThrow(/undone/u);
  expect((await sizesOf(filter, 1)).slice(0, 2)).toEqual([last, count - matching + 1]);
  change(last, documentOf(last, { size: -1 }), documentOf(last));
  counted.storage.commit();
  expect((await sizesOf(filter, 1))[0]).toBe(count - matching + 1);
  expect((await sizesOf(filter, -1))[0]).toBe(last);
});
