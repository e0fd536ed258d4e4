import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { decodeDocument } from '../bson/decode.ts';
import { encodeDocument } from '../bson/encode.ts';
import { Yielder } from '../event-loop/yielder.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { Storage } from '../storage/storage.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { countHits } from './count-hits.ts';
import { findHits } from './find.ts';
import type { CollectionQuery } from './query.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let storage: Storage;
let collection: StoredCollection;
/** Number of documents read since `watchDocuments`. */
let documentsRead: number;

beforeEach(() => {
  storage = new Storage(':memory:', 'off');
  collection = storage.ensure('test', 'things');
  const keys: [string, number][][] = [
    [
      ['owner', 1],
      ['gone', 1],
      ['at', -1],
      ['_id', -1],
    ],
    [
      ['owner', 1],
      ['gone', 1],
      ['name', 1],
      ['_id', 1],
    ],
    [
      ['owner', 1],
      ['gone', 1],
      ['tags', 1],
      ['at', -1],
      ['_id', -1],
    ],
    [
      ['owner', 1],
      ['gone', 1],
      ['state', 1],
      ['at', -1],
      ['_id', -1],
    ],
  ];
  for (const key of keys) {
    collection.addIndex(doc({ v: 2, key: new Map(key), name: key.map(([path]) => path).join('_') }));
  }
  for (let id = 0; id < 3000; id++) {
    insert(
      doc({
        _id: id,
        owner: 1,
        ...(id % 2 ? { gone: null } : {}),
        at: (id * 7) % 1009,
        name: `name ${(id * 13) % 3001}`,
        tags: id % 3 ? ['x', 'y'] : [],
        state: id % 100 ? 'done' : 'new',
      }),
    );
  }
  insert(doc({ _id: 'gone', owner: 1, gone: true, at: 1, name: 'a', tags: ['x'], state: 'done' }));
  insert(doc({ _id: 'other', owner: 2, at: 1, name: 'a', tags: ['x'], state: 'done' }));
});

afterEach(() => storage.close());

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));

function insert(document: BsonDocument): void {
  collection.insert(encodeDocument(document), document);
}

const present = { owner: 1, gone: null };
const counts: [string, Record<string, BsonValue>, number][] = [
  ['by a value that is null or missing', present, 3000],
  ['by a state', { ...present, state: 'new' }, 30],
  ['by an element of an array', { ...present, tags: doc({ $all: ['x'] }) }, 2000],
  ['by a state and an element of an array', { ...present, state: 'done', tags: 'x' }, 1980],
  ['by two elements of an array', { ...present, tags: doc({ $all: ['x', 'y'] }) }, 2000],
  ['by one of two values', { ...present, state: doc({ $in: ['new', 'done', 'none'] }) }, 3000],
  ['by names within limits', { ...present, name: doc({ $gte: 'name 1', $lte: 'name 2' }) }, 1112],
];

test.each(counts)(
  'finds the same documents %s in the order of another field, and reads no others',
  async (_, filter, expected) => {
    watchDocuments();
    const sort = new Map([['at', -1]]);
    const hits = await findHits(collection, { filter: doc(filter), sort, wantBytes: false }, new Yielder());
    expect(hits).toHaveLength(expected);
    expect(new Set(hits.map(({ id }) => id)).size).toBe(expected);
    expect(documentsRead).toBeLessThanOrEqual(expected);
  },
);

test.each(counts)('counts %s from the index alone', async (_, filter, expected) => {
  forbidDocuments();
  expect(await countHits(collection, { filter: doc(filter) }, new Yielder())).toBe(expected);
  expect(await countHits(collection, { filter: doc(filter), skip: 10, limit: 15 }, new Yielder())).toBe(15);
});

function forbidDocuments(): void {
  const statement = storage.statement.bind(storage);
  storage.statement = (sql) => {
    if (/\bdoc\b/.test(sql)) throw new Error(`documents are read: ${sql}`);
    return statement(sql);
  };
}

const pages: [string, CollectionQuery][] = [
  [
    'in descending order',
    {
      filter: doc(present),
      sort: new Map([
        ['at', -1],
        ['_id', -1],
      ]),
    },
  ],
  [
    'in ascending order',
    {
      filter: doc(present),
      sort: new Map([
        ['at', 1],
        ['_id', 1],
      ]),
    },
  ],
  [
    'by name',
    {
      filter: doc(present),
      sort: new Map([
        ['name', -1],
        ['_id', -1],
      ]),
    },
  ],
  [
    'of documents with an element',
    {
      filter: doc({ ...present, tags: doc({ $all: ['y'] }) }),
      sort: new Map([
        ['at', -1],
        ['_id', -1],
      ]),
    },
  ],
  [
    'of a common state by name',
    {
      filter: doc({ ...present, state: 'done' }),
      sort: new Map([
        ['name', 1],
        ['_id', 1],
      ]),
    },
  ],
];

test.each(pages)('a page %s reads few documents at any offset', async (name, query) => {
  const ids = (hits: { bytes: Buffer | undefined }[]) => hits.map(({ bytes }) => decodeDocument(bytes!).get('_id'));
  const all = ids(await findHits(collection, { ...query, hint: doc({ $natural: 1 }) }, new Yielder()));
  expect(all.length).toBeGreaterThan(1900);
  for (const skip of [0, 5, 1800, all.length - 3, all.length, all.length + 9]) {
    watchDocuments();
    const found = ids(await findHits(collection, { ...query, skip, limit: 10 }, new Yielder()));
    expect(found, `from ${skip}`).toEqual(all.slice(skip, skip + 10));
    // A condition that the index cannot decide is checked on each document of the walk.
    if (skip <= 5 || !name.includes('state')) expect(documentsRead, `from ${skip}`).toBeLessThan(100);
  }
});

test('the entries of many values are counted once for a query', async () => {
  const names = Array.from({ length: 100 }, (_, at) => `name ${at}`);
  const filter = doc({ owner: 1, gone: null, name: doc({ $in: names }), elsewhere: null });
  const statement = Storage.prototype.statement.bind(storage);
  const counted: string[] = [];
  storage.statement = (sql) => {
    const prepared = statement(sql);
    if (!sql.startsWith('SELECT count(*) AS n FROM (SELECT 1')) return prepared;
    const get: typeof prepared.get = (...parameters) => {
      counted.push((parameters[0] as Buffer).toString('hex'));
      return prepared.get(...(parameters as Parameters<typeof prepared.get>));
    };
    return { get } as typeof prepared;
  };
  expect(await findHits(collection, { filter }, new Yielder())).toHaveLength(100);
  expect(counted.length).toBeGreaterThanOrEqual(100);
  expect(counted.length - new Set(counted).size).toBe(0);
});

function watchDocuments(): void {
  documentsRead = 0;
  const statement = Storage.prototype.statement.bind(storage);
  storage.statement = (sql) => {
    const prepared = statement(sql);
    if (!/\bdoc\b/.test(sql)) return prepared;
    return {
      *iterate(...parameters: Parameters<typeof prepared.iterate>) {
        for (const row of prepared.iterate(...parameters)) {
          documentsRead++;
          yield row;
        }
      },
    } as typeof prepared;
  };
}

test('a field that was ever an array does not give an order', async () => {
  insert(doc({ _id: 'late', owner: 1, at: [2000, -5], name: 'z', tags: ['x'], state: 'done' }));
  const sort = new Map([
    ['at', 1],
    ['_id', 1],
  ]);
  const [first] = await findHits(collection, { filter: doc({ ...present, tags: 'x' }), sort, limit: 1 }, new Yielder());
  expect(decodeDocument(first!.bytes!).get('_id')).toBe('late');
  expect(await countHits(collection, { filter: doc({ ...present, tags: 'x' }) }, new Yielder())).toBe(2001);
});

test('an index stays multikey after a failed write of an array', async () => {
  const other = storage.ensure('test', 'others');
  other.addIndex(doc({ v: 2, key: doc({ tags: 1 }), name: 'tags_1' }));
  other.addIndex(doc({ v: 2, key: doc({ name: 1 }), name: 'name_1', unique: true }));
  const insertArray = (_id: number, name: string) => {
    const document = doc({ _id, name, tags: ['x', 'y'] });
    other.insert(encodeDocument(document), document);
  };
  const plain = doc({ _id: 0, name: 'a', tags: 'x' });
  other.insert(encodeDocument(plain), plain);
  expect(() => insertArray(1, 'a')).toThrow('E11000');
  insertArray(2, 'b');
  storage.commit();
  const row = storage.sqlite
    .prepare('SELECT max(multikey) AS multikey FROM indexes WHERE collection = ?')
    .get(other.id);
  expect(row!['multikey']).toBeGreaterThan(0);
});

test('a sparse index finds the documents that have its field', async () => {
  const sparse = storage.ensure('test', 'sparse');
  sparse.addIndex(doc({ v: 2, key: doc({ state: 1 }), name: 'state_1' }));
  sparse.addIndex(doc({ v: 2, key: doc({ 'request.run': 1 }), name: 'request.run_1', sparse: true }));
  for (let id = 0; id < 500; id++) {
    const document = doc({ _id: id, state: id % 3, ...(id % 100 === 1 ? { request: doc({ run: `run ${id}` }) } : {}) });
    sparse.insert(encodeDocument(document), document);
  }
  for (const present of [doc({ $exists: true }), doc({ $ne: null })]) {
    watchDocuments();
    const filter = doc({ 'request.run': present, state: doc({ $in: [0, 1] }) });
    const hits = await findHits(sparse, { filter }, new Yielder());
    expect(hits.map(({ bytes }) => decodeDocument(bytes!).get('_id'))).toEqual([1, 201, 301]);
    expect(documentsRead).toBe(5);
  }
});
