import { ObjectId } from 'bson';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeDocument } from '../../bson/encode.ts';
import { Yielder } from '../../event-loop/yielder.ts';
import type { StoredCollection } from '../../storage/collection.ts';
import { Storage } from '../../storage/storage.ts';
import type { BsonDocument, BsonValue } from '../../values/value.ts';
import { countHits } from '../count-hits.ts';
import { findHits } from '../find.ts';

let storage: Storage;
let indexed: StoredCollection;
let plain: StoredCollection;
const count = 18_000;
const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));
const idOf = (at: number) => new ObjectId(at.toString(16).padStart(24, '0'));
const states = ['read', 'failed', 'done', 'waiting'];

beforeAll(() => {
  storage = new Storage(':memory:', 'off');
  const made = ['indexed', 'plain'].map((name) => storage.ensure('test', name));
  [indexed, plain] = made as [StoredCollection, StoredCollection];
  for (const fields of [['state'], ['mark.seen'], ['parts.state'], ['state', 'mark.seen', 'mark.open']]) {
    const key = doc({ owner: 1, ...Object.fromEntries(fields.map((path) => [path, 1])), at: -1, _id: -1 });
    indexed.addIndex(doc({ v: 2, key, name: fields.join('_') }));
  }
  indexed.addIndex(doc({ v: 2, key: doc({ copy_of: 1 }), name: 'copy', sparse: true }));
  for (let at = 0; at < count; at += 1) {
    const seen: Record<string, BsonValue> = at % 3 === 0 ? {} : { seen: at % 3 === 1 };
    const document = doc({
      _id: idOf(at),
      owner: 1,
      state: states[at % 4]!,
      at: new Date(((at * 7) % 5_000) * 1_000),
      ...(at % 5 !== 0 && { mark: doc({ ...seen, open: at % 7 }) }),
      // None, one, or two that differ.
      ...(at % 11 < 8 && { parts: ['open', 'gone'].slice(0, at % 3).map((state) => doc({ state })) }),
      ...(at % 50 === 0 && { copy_of: 'first' }),
    });
    for (const collection of made) collection.insert(encodeDocument(document), document);
  }
});
afterAll(() => storage.close());

const some = Array.from({ length: 40 }, (_, at) => idOf(at * 90 + 2));
const idle = doc({ $in: ['done', 'read', 'waiting'] });
const unseen = doc({ $in: [null, false] });
const filters: Record<string, BsonDocument> = {
  'values in a nested field or none': doc({ owner: 1, state: idle, 'mark.seen': unseen }),
  'no element with a value': doc({ owner: 1, state: idle, 'mark.seen': unseen, 'parts.state': doc({ $ne: 'gone' }) }),
  'no value, and no element with a value': doc({
    owner: 1,
    state: 'done',
    copy_of: null,
    'parts.state': doc({ $ne: 'open' }),
  }),
  'an element with a value, and none of some ids': doc({
    owner: 1,
    'parts.state': 'open',
    state: idle,
    _id: doc({ $nin: some }),
  }),
  'two alternatives': doc({
    owner: 1,
    copy_of: null,
    'parts.state': doc({ $ne: 'gone' }),
    $or: [
      doc({ state: 'read', 'mark.seen': true }),
      doc({ state: 'done', 'mark.seen': true, 'mark.open': doc({ $in: [null, 0, 1] }) }),
    ],
  }),
};

test.each(Object.entries(filters))(
  '%s: the same as without indexes, and counted without documents',
  async (_, filter) => {
    const all = await findHits(plain, { filter, sort: doc({ at: -1, _id: -1 }) }, new Yielder());
    expect(all.length).toBeGreaterThan(100);
    for (const [skip, limit] of [
      [0, 0],
      [0, 20],
      [150, 20],
    ] as const) {
      const sort = doc({ at: -1, _id: -1 });
      const hits = await findHits(indexed, { filter, sort, skip, limit }, new Yielder());
      expect(hits.map(({ id }) => id)).toEqual(
        all.slice(skip, limit === 0 ? undefined : skip + limit).map(({ id }) => id),
      );
    }
    const statement = storage.statement.bind(storage);
    storage.statement = (sql) => {
      // Of an alternative with few documents, these are read.
      if (/\bdoc\b/.test(sql) && !filter.has('$or')) throw new Error(`documents are read: ${sql}`);
      return statement(sql);
    };
    try {
      for (const limit of [0, 90, 10_000]) {
        const counted = await countHits(indexed, { filter, limit }, new Yielder());
        expect(counted).toBe(limit === 90 ? 90 : all.length);
      }
    } finally {
      storage.statement = statement;
    }
  },
);

test('an empty array in the place of a field is no missing value', async () => {
  const [fresh, without] = ['fresh', 'without'].map((name) => storage.ensure('test', name)) as [
    StoredCollection,
    StoredCollection,
  ];
  fresh.addIndex(doc({ v: 2, key: doc({ 'mark.seen': 1 }), name: 'seen' }));
  for (let at = 0; at < 2_000; at += 1) {
    const document = doc({ _id: at, mark: at % 2 === 0 ? [] : doc({ open: 1 }) });
    for (const collection of [fresh, without]) collection.insert(encodeDocument(document), document);
  }
  const filter = doc({ 'mark.seen': null });
  expect(await countHits(fresh, { filter }, new Yielder())).toBe(await countHits(without, { filter }, new Yielder()));
});

test('thousands of values that no entries decide are gone through a few times, also with many indexes', async () => {
  let walks = 0;
  const values = Array.from({ length: 3_000 }, (_, at) => idOf(at));
  const counted = new Proxy(values, {
    get(target, name) {
      if (name === '0' || name === Symbol.iterator) walks += 1;
      const value: unknown = Reflect.get(target, name);
      return value;
    },
  });
  const among = doc({ _id: doc({ $in: counted }) });
  const filter = doc({ owner: 1, copy_of: null, 'parts.state': 'open', 'mark.seen': true, $and: [among] });
  const plainFilter = doc({
    owner: 1,
    copy_of: null,
    'parts.state': 'open',
    'mark.seen': true,
    _id: doc({ $in: values }),
  });
  const found = await countHits(indexed, { filter }, new Yielder());
  expect(found).toBe(await countHits(plain, { filter: plainFilter }, new Yielder()));
  expect(walks).toBeLessThanOrEqual(16);
});
