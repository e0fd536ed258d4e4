import { ObjectId } from 'bson';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeDocument } from '../../bson/encode.ts';
import { Yielder } from '../../event-loop/yielder.ts';
import type { StoredCollection } from '../../storage/collection.ts';
import { Storage } from '../../storage/storage.ts';
import { SubstringIndex } from '../../storage/substring-index.ts';
import type { BsonDocument, BsonValue } from '../../values/value.ts';
import { countHits } from '../count-hits.ts';
import { findHits } from '../find.ts';

const [owner, other] = [new ObjectId(), new ObjectId()];
const count = 1200;
const nameOf = (at: number) =>
  `${at % 2 ? 'Rechnung' : 'Überweisung'} ${(at * 7919) % 10_007} für Käufer ${at % 97} 文書.pdf`;

let storage: Storage;
let indexed: StoredCollection;
let plain: StoredCollection;

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));
const specification = doc({ name: 'names', type: 'substring', path: 'name', within: ['owner', 'deleted'] });

beforeAll(() => {
  storage = new Storage(':memory:', 'off');
  [indexed, plain] = ['indexed', 'plain'].map((name) => storage.ensure('test', name)) as [
    StoredCollection,
    StoredCollection,
  ];
  for (const last of ['at', 'name']) {
    const key = new Map<string, BsonValue>([
      ['owner', 1],
      ['deleted', 1],
      [last, 1],
      ['_id', 1],
    ]);
    indexed.addIndex(doc({ v: 2, key, name: last }));
  }
  indexed.addIndex(doc({ v: 2, key: new Map([['gone', 1]]), name: 'gone', sparse: true }));
  for (let at = 0; at < count / 2; at++) insert(at);
  indexed.addSearchTable(specification, (id) => new SubstringIndex(storage, id, specification));
  const table = indexed.searchTables.at(-1) as SubstringIndex;
  // Rows before and after the place that the building has reached are inserted, changed and removed meanwhile.
  indexed.build(table, 100);
  for (const collection of [indexed, plain]) {
    change(collection, 90, { name: 'renamed contract' });
    change(collection, 300, { name: 'renamed contract' });
    collection.remove(92, documentOf(91));
    collection.remove(302, documentOf(301));
  }
  for (let at = count / 2; at < count; at++) insert(at);
  while (indexed.build(table, 100));
  for (const collection of [indexed, plain]) {
    // Without a name, with a short one, and those that were renamed, moved to the trash, or removed.
    for (const [at, name] of [undefined, null, '', 'x', 'xy'].entries()) {
      const document = doc({ _id: `short ${at}`, owner, deleted: null, at: -at, ...(name !== undefined && { name }) });
      collection.insert(encodeDocument(document), document);
    }
    change(collection, 10, { name: 'renamed invoice' });
    change(collection, 11, { deleted: new Date() });
    change(collection, 12, { owner: other });
    change(collection, 13, { at: -5 });
    collection.remove(15, documentOf(14));
  }
});

afterAll(() => storage.close());

const documentOf = (at: number) =>
  doc({
    _id: at,
    owner: at % 10 === 3 ? other : owner,
    deleted: null,
    at: (at * 31) % count,
    name: nameOf(at),
    ...(at % 17 === 0 && { gone: true }),
  });

function insert(at: number) {
  const document = documentOf(at);
  for (const collection of [indexed, plain]) collection.insert(encodeDocument(document), document);
}

function change(collection: StoredCollection, at: number, fields: Record<string, BsonValue>) {
  const after = new Map([...documentOf(at), ...Object.entries(fields)]);
  collection.update(at + 1, documentOf(at), encodeDocument(after), after);
}

const texts = [
  'rechnung',
  'Rechnung',
  'Käufer 9',
  'äuf',
  '19',
  '文書',
  '文書.pdf',
  'ä',
  'x',
  'xy',
  'pdf',
  'renamed',
  'Rechnung 0815',
  'ung für',
  '7 f',
];

test.each(texts)('a search for “%s” finds the same in every order as without the index', async (text) => {
  const escaped = text.replaceAll('.', String.raw`\.`);
  const found = async (
    collection: StoredCollection,
    query: { sort?: BsonDocument; skip?: number; limit?: number },
    more = {},
  ) => {
    const filter = doc({ owner, deleted: null, name: doc({ $regex: escaped }), ...more });
    const hits = await findHits(collection, { filter, ...query }, new Yielder());
    const limit = query.limit ?? 0;
    return { rows: hits.map(({ id }) => id), count: await countHits(collection, { filter, limit }, new Yielder()) };
  };
  for (const sort of [doc({ at: 1, _id: 1 }), doc({ name: -1, _id: -1 }), doc({ at: -1, _id: -1 })]) {
    for (const page of [{}, { limit: 10 }, { limit: 10, skip: 150 }, { limit: 700 }]) {
      expect(await found(indexed, { sort, ...page })).toEqual(await found(plain, { sort, ...page }));
      for (const more of [{ at: doc({ $gt: 400 }) }, { gone: null }, { gone: null, at: doc({ $gt: 400 }) }])
        expect(await found(indexed, { sort, ...page }, more)).toEqual(await found(plain, { sort, ...page }, more));
    }
  }
  expect(new Set((await found(indexed, {})).rows)).toEqual(new Set((await found(plain, {})).rows));
});

test('the field holds a text or nothing', () => {
  for (const name of [7, ['a', 'b'], doc({ a: 1 })]) {
    const document = doc({ _id: 'wrong', owner, deleted: null, name });
    expect(() => indexed.insert(encodeDocument(document), document)).toThrow(/text or nothing|no array/);
  }
});
