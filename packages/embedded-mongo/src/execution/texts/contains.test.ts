import { BSONRegExp, ObjectId } from 'bson';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeDocument } from '../../bson/decode.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { Yielder } from '../../event-loop/yielder.ts';
import type { StoredCollection } from '../../storage/collection.ts';
import { Storage } from '../../storage/storage.ts';
import type { BsonDocument, BsonValue } from '../../values/value.ts';
import { countHits } from '../count-hits.ts';
import { findHits } from '../find.ts';

/** An ObjectId whose bytes are letters, so that a search can mistake them for a name. */
const owner = new ObjectId(Buffer.from('abcdefghijkl'));
const names: BsonValue[] = [
  'abc',
  'b',
  'Überweisung',
  'ü',
  'a.b',
  'a|b\\',
  'x\u0001y',
  'x\u0000yz',
  '',
  '文書 1',
  '😀 ok',
  7,
  null,
];

let storage: Storage;
let collection: StoredCollection;

beforeAll(() => {
  storage = new Storage(':memory:', 'off');
  collection = storage.ensure('test', 'things');
  for (const fields of [
    [
      ['owner', 1],
      ['name', 1],
      ['_id', 1],
    ],
    [
      ['owner', 1],
      ['at', -1],
      ['_id', -1],
    ],
    [['name', -1]],
    [
      ['owner', 1],
      ['state', 1],
      ['at', -1],
      ['_id', -1],
    ],
  ] as [string, number][][]) {
    collection.addIndex(doc({ v: 2, key: new Map(fields), name: fields.map(([path]) => path).join('_') }));
  }
  for (let id = 0; id < 2600; id++) {
    const name = id % 2 ? `late ${id}` : names[(id / 2) % names.length]!;
    // The document named "late" is the oldest.
    insert(doc({ _id: `id ${id}`, owner, at: id % 2 ? -id : id, name, state: id % 7 ? 'done' : 'new' }));
  }
  // A pattern finds itself, whether or not its own text contains what it searches for.
  const patterns = [new BSONRegExp('b'), new BSONRegExp('a\\.b'), new BSONRegExp('a\\.b', 'i')];
  for (const [at, name] of patterns.entries()) insert(doc({ _id: `pattern ${at}`, owner, at, name, state: 'new' }));
  insert(doc({ _id: 'other', owner: new ObjectId(), at: 1, name: 'abc', state: 'done' }));
});

afterAll(() => storage.close());

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));
const insert = (document: BsonDocument) => collection.insert(encodeDocument(document), document);
const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const nameContains = (text: string, more: Record<string, BsonValue> = {}) =>
  doc({ owner, ...more, name: doc({ $regex: escaped(text) }) });

const texts = [
  'b',
  'abc',
  'abcdef',
  'id 1',
  'ü',
  'Ü',
  '.',
  'a.b',
  '|b\\',
  'y',
  '\u0002',
  '\u0001',
  '文',
  '😀',
  '\u{1f600} o',
  'late',
  '99',
  'none',
];

test.each(texts)('counts the documents whose name contains "%s" as a full scan does', async (text) => {
  for (const filter of [
    nameContains(text),
    nameContains(text, { state: 'new' }),
    nameContains(text, { state: 'done' }),
  ]) {
    const count = async (hint?: BsonDocument) => countHits(collection, { filter, hint }, new Yielder());
    expect(await count()).toBe(await count(doc({ $natural: 1 })));
  }
});

const orders: [string, number][][] = [
  [
    ['at', -1],
    ['_id', -1],
  ],
  [
    ['name', 1],
    ['_id', 1],
  ],
  [
    ['name', -1],
    ['_id', -1],
  ],
];
test.each(['late', 'abc', '.', 'a.b', 'none'])(
  'a page of the documents whose name contains "%s" has the requested order',
  async (text) => {
    const cases = orders.flatMap((by) =>
      [nameContains(text), nameContains(text, { state: 'done' })].map((filter) => ({ by, filter })),
    );
    for (const { by, filter } of cases) {
      const query = { filter, sort: new Map(by) };
      const ids = async (more: object) =>
        (await findHits(collection, { ...query, ...more }, new Yielder())).map(({ id, bytes }) =>
          decodeDocument(bytes ?? collection.read(id)!).get('_id'),
        );
      const all = await ids({ hint: doc({ $natural: 1 }) });
      for (const skip of [0, 1010]) {
        expect(await ids({ skip, limit: 10 }), `${by.join()} from ${skip}`).toEqual(all.slice(skip, skip + 10));
      }
    }
  },
);

test.each(['late', 'abc', 'a.b', 'none'])(
  'counts the documents whose name contains "%s" from the index alone',
  async (text) => {
    const filterByState = nameContains(text, { state: 'done' });
    const expected = await countHits(collection, { filter: nameContains(text) }, new Yielder());
    const expectedByState = await countHits(collection, { filter: filterByState }, new Yielder());
    const statement = storage.statement.bind(storage);
    storage.statement = (sql) => {
      if (/\bdoc\b/.test(sql)) throw new Error(`documents are read: ${sql}`);
      return statement(sql);
    };
    expect(await countHits(collection, { filter: nameContains(text) }, new Yielder())).toBe(expected);
    expect(await countHits(collection, { filter: nameContains(text), skip: 10, limit: 15 }, new Yielder())).toBe(
      Math.min(15, Math.max(0, expected - 10)),
    );
    expect(await countHits(collection, { filter: filterByState }, new Yielder())).toBe(expectedByState);
    storage.statement = statement;
  },
);

test('finds a stored pattern by the same pattern, although it does not contain the text', async () => {
  const filter = doc({ owner, name: doc({ $regex: 'a\\.b' }), state: 'new' });
  const countBy = async (more: object) => countHits(collection, { filter, ...more }, new Yielder());
  const withoutPattern = await countBy({ filter: doc({ ...Object.fromEntries(filter), name: 'a.b' }) });
  expect([await countBy({}), await countBy({ hint: doc({ $natural: 1 }) })]).toEqual(Array(2).fill(withoutPattern + 1));
});

// The last test, because the indexes are multikey after it.
test('an element of an array matches, and two conditions on one field must both hold', async () => {
  insert(doc({ _id: 'array', owner, at: 1, name: ['nothing', 'unique-piece'], state: 'done' }));
  const countOf = (filter: BsonDocument) => countHits(collection, { filter }, new Yielder());
  expect(await countOf(nameContains('unique-piece'))).toBe(1);
  const both = (a: BsonDocument, b: BsonDocument) => doc({ owner, $and: [doc({ name: a }), doc({ name: b })] });
  expect(await countOf(both(doc({ $regex: 'ab' }), doc({ $regex: 'bc' })))).toBe(100);
  expect(await countOf(both(doc({ $regex: 'ab' }), doc({ $gt: 'abc' })))).toBe(0);
  expect(await countOf(both(doc({ $regex: 'late' }), doc({ $eq: 'late 1' })))).toBe(1);
  expect(await countOf(doc({ owner, name: doc({ $regex: 'LATE', $options: 'i' }) }))).toBe(1300);
});
