import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeDocument } from '../../bson/encode.ts';
import { Yielder } from '../../event-loop/yielder.ts';
import type { StoredCollection } from '../../storage/collection.ts';
import { openCountedStorage, type CountedStorage } from '../../testing/counted-storage.ts';
import type { BsonDocument, BsonValue } from '../../values/value.ts';
import { countHits } from '../count-hits.ts';
import { findHits } from '../find.ts';

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));
const never = new Date(0);
const inTrash = { owner: 1, deleted: doc({ $gt: never }) };

let counted: CountedStorage;
let indexed: StoredCollection;
let plain: StoredCollection;

beforeAll(() => {
  counted = openCountedStorage();
  indexed = counted.storage.ensure('test', 'indexed');
  plain = counted.storage.ensure('test', 'plain');
  indexed.addIndex(doc({ v: 2, key: doc({ owner: 1, deleted: 1, _id: 1 }), name: 'all' }));
  for (const fields of [{ deleted: -1 }, { name: 1 }, { tags: 1, deleted: -1 }] as Record<string, number>[]) {
    const partialFilterExpression = doc({ deleted: doc({ $gt: never }) });
    const key = doc({ owner: 1, ...fields, _id: Object.values(fields).at(-1)! });
    indexed.addIndex(doc({ v: 2, key, name: Object.keys(fields).join(), partialFilterExpression }));
  }
  for (let at = 0; at < 6_000; at += 1) {
    const document = doc({
      _id: at,
      owner: at % 5 === 4 ? 2 : 1,
      // One in three is in the trash, and some are no longer.
      deleted: at % 3 === 0 ? new Date((at * 7_919) % 6_007) : null,
      name: `file ${(at * 31) % 1_009} of customer ${at % 10}`,
      tags: at % 2 === 0 ? ['a', 'b'].slice(at % 4 === 0 ? 0 : 1) : [],
    });
    for (const collection of [indexed, plain]) collection.insert(encodeDocument(document), document);
  }
});
afterAll(() => counted.storage.close());

const byName = { name: 1, _id: 1 } as const;
const lastDeleted = { deleted: -1, _id: -1 } as const;
const deletedBefore = doc({
  deleted: doc({ $lte: new Date(3_000) }),
  $or: [doc({ deleted: doc({ $lt: new Date(3_000) }) })],
});

test.each<[string, BsonDocument, Record<string, 1 | -1>]>([
  ['all', doc(inTrash), lastDeleted],
  ['by name', doc(inTrash), byName],
  ['with a tag', doc({ ...inTrash, tags: doc({ $all: ['a'] }) }), lastDeleted],
  ['with a tag, by name', doc({ ...inTrash, tags: doc({ $all: ['b'] }) }), byName],
  ['with a part of the name', doc({ ...inTrash, name: doc({ $regex: 'customer 3' }) }), lastDeleted],
  [
    'with a part of the name and a tag',
    doc({ ...inTrash, name: doc({ $regex: '1 of c' }), tags: doc({ $all: ['a'] }) }),
    lastDeleted,
  ],
  ['behind a place', doc({ $and: [doc(inTrash), deletedBefore] }), lastDeleted],
])('documents of a partial index, %s: the same as without indexes, and few are read', async (_, filter, order) => {
  const sort = doc(order);
  const all = (await findHits(plain, { filter, sort }, new Yielder())).map(({ id }) => id);
  expect(all.length).toBeGreaterThan(20);
  counted.takeReads();
  const found = await findHits(indexed, { filter, sort, limit: 10 }, new Yielder());
  const isCounted = await countHits(indexed, { filter }, new Yielder());
  // Fewer than a thousand entries of one index are read; a filter with an end of its own reads all between.
  if (!filter.has('$and')) expect(counted.takeReads()).toBeLessThan(600);
  expect(found.map(({ id }) => id)).toEqual(all.slice(0, 10));
  expect(isCounted).toBe(all.length);
});

test.each([
  ['a limit that is not open', { deleted: doc({ $gte: never }) }],
  ['a lower limit', { deleted: doc({ $gt: new Date(-5) }) }],
  ['a limit of another type', { deleted: doc({ $gt: 0 }) }],
  ['no limit', { deleted: null }],
])('documents that a partial index can lack: %s', async (_, own) => {
  const filter = doc({ owner: 1, ...own });
  for (const order of [byName, lastDeleted]) {
    const [expected, found] = await Promise.all(
      [plain, indexed].map((each) => findHits(each, { filter, sort: doc(order), limit: 30 }, new Yielder())),
    );
    expect(found!.map(({ id }) => id)).toEqual(expected!.map(({ id }) => id));
  }
});
