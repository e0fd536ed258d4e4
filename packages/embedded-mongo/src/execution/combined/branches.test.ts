import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeDocument } from '../../bson/encode.ts';
import { Yielder } from '../../event-loop/yielder.ts';
import type { StoredCollection } from '../../storage/collection.ts';
import { Storage } from '../../storage/storage.ts';
import type { BsonDocument, BsonValue } from '../../values/value.ts';
import { countHits } from '../count-hits.ts';
import { findHits } from '../find.ts';
import { decidedByEntries } from '../decided-by-entries.ts';
import { makePlan } from '../plan.ts';

let storage: Storage;
let indexed: StoredCollection;
let plain: StoredCollection;

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));
const states = ['read', 'failed', 'done', 'done'];

beforeAll(() => {
  storage = new Storage(':memory:', 'off');
  const made = ['indexed', 'plain'].map((name) => storage.ensure('test', name));
  [indexed, plain] = made as [StoredCollection, StoredCollection];
  addIndex({ owner: 1, state: 1, at: -1 });
  addIndex({ owner: 1, open: 1 });
  addIndex({ owner: 1, at: -1 });
  addIndex({ copy_of: 1 }, { sparse: true });
  for (let at = 0; at < 4000; at++) {
    // Most have no such field; with null in it, a document is in a sparse index too.
    const copy: Record<string, BsonValue> = at % 20 === 0 ? { copy_of: at % 40 === 0 ? null : 'first' } : {};
    const open = at % 9 === 0 ? { open: at % 27 } : {};
    const document = doc({ _id: at, owner: at % 3, state: states[at % 4]!, at: (at * 7) % 4000, ...copy, ...open });
    for (const collection of made) collection.insert(encodeDocument(document), document);
  }
});

afterAll(() => storage.close());

function addIndex(key: Record<string, BsonValue>, options: Record<string, BsonValue> = {}) {
  indexed.addIndex(doc({ v: 2, key: doc(key), name: Object.keys(key).join('_'), ...options }));
}

const failed = doc({ state: doc({ $in: ['failed', 'gone'] }) });
const asks = doc({ $and: [doc({ state: 'done' }), doc({ $or: [doc({ at: 7 }), doc({ open: doc({ $gt: 0 }) })] })] });
const own = { owner: 1, copy_of: null };
const filters: Record<string, BsonDocument> = {
  'no value in a field with a sparse index': doc({ ...own, state: 'done' }),
  'one of two, within “and”': doc({ owner: 1, $and: [doc({ copy_of: null }), doc({ $or: [failed, asks] })] }),
  'one of two, twice': doc({
    ...own,
    $and: [doc({ $or: [failed, asks] }), doc({ $or: [doc({ at: doc({ $lt: 900 }) }), asks] })],
  }),
  'the same field within “and”': doc({ ...own, $and: [doc({ owner: doc({ $ne: 2 }) }), doc({ $or: [failed] })] }),
};

test.each(Object.entries(filters))('%s: finds and counts the same as without indexes', async (_, filter) => {
  for (const limit of [0, 5, 100, 1000, 10_000]) {
    const counts = await Promise.all([indexed, plain].map((each) => countHits(each, { filter, limit }, new Yielder())));
    expect(counts[0]).toBe(counts[1]);
    for (const sort of [doc({ at: -1 }), doc({ open: 1, at: 1 })]) {
      const found = await Promise.all(
        [indexed, plain].map((each) => findHits(each, { filter, sort, limit }, new Yielder())),
      );
      expect(found[0]!.map(({ id }) => id)).toEqual(found[1]!.map(({ id }) => id));
    }
  }
});

test('entries alone decide that a field has no value', () => {
  const filter = filters['no value in a field with a sparse index']!;
  const plan = makePlan(indexed, filter, []);
  expect(plan.kind === 'index' && decidedByEntries(indexed, filter, plan, true)?.isExact).toBe(true);
});
