import { ObjectId } from 'bson';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { decodeDocument } from '../../bson/decode.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { Yielder } from '../../event-loop/yielder.ts';
import type { StoredCollection } from '../../storage/collection.ts';
import { Storage } from '../../storage/storage.ts';
import type { BsonDocument, BsonValue } from '../../values/value.ts';
import { countHits } from '../count-hits.ts';
import { findHits } from '../find.ts';
import { identifiersOf, objectIdsOf } from '../identifier-scan.ts';

const count = 3_000;
const large = 'x'.repeat(40_000);
let storage: Storage;
let collection: StoredCollection;
const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));
const idOf = (index: number) => new ObjectId(index.toString(16).padStart(24, '0'));

beforeEach(() => {
  storage = new Storage(':memory:', 'off');
  collection = storage.ensure('test', 'things');
  for (let index = 0; index < count; index += 1) {
    // Fifty large ones follow each other, so that a batch ends by its bytes.
    const document = doc({ _id: idOf(index), even: index % 2 === 0, ...(index < 50 && { large }) });
    collection.insert(encodeDocument(document), document);
  }
});
afterEach(() => storage.close());

function statementsOf(work: () => unknown): number {
  const { connection } = collection;
  const original = connection.statement.bind(connection);
  let statements = 0;
  connection.statement = (sql) => {
    statements += 1;
    return original(sql);
  };
  work();
  connection.statement = original;
  return statements;
}

async function found(ids: readonly BsonValue[], sort: 1 | -1): Promise<number[]> {
  const filter = doc({ _id: doc({ $in: [...ids] }), even: true });
  const hits = await findHits(collection, { filter, sort: new Map([['_id', sort]]) }, new Yielder());
  return hits.map(({ id }) => {
    const document = decodeDocument(collection.read(id)!);
    return Number.parseInt((document.get('_id') as ObjectId).toHexString(), 16);
  });
}

test('finds thousands of documents by their ids in either order, and no others', async () => {
  const wanted = Array.from({ length: 1_500 }, (_, at) => (at * 7) % (count + 500));
  const ids = wanted.map(idOf);
  const expected = [...new Set(wanted)].filter((index) => index < count && index % 2 === 0).toSorted((a, b) => a - b);
  expect(await found([...ids, 'other', 4], 1)).toEqual(expected);
  expect(await found([...ids, 'other', 4], -1)).toEqual(expected.toReversed());
  const filter = doc({ _id: doc({ $in: ids }), even: true });
  expect(await countHits(collection, { filter }, new Yielder())).toBe(expected.length);
});

test('reads ids from their keys, hundreds in one statement, and those of another type from the documents', async () => {
  const other = doc({ _id: 'a text', even: true });
  collection.insert(encodeDocument(other), other);
  const hits = await findHits(collection, { filter: doc({ even: true }), wantBytes: false }, new Yielder());
  const rows = hits.map(({ id }) => id);
  let ids: BsonValue[] = [];
  const statements = statementsOf(() => {
    ids = [...identifiersOf(collection, rows)];
  });
  const plain = rows.slice(0, -1);
  const bytes = Buffer.concat([...objectIdsOf(collection, plain)].map((some) => some!));
  expect(bytes.toString('hex')).toBe([...identifiersOf(collection, plain)].map(String).join(''));
  expect([...objectIdsOf(collection, rows)]).toContain(undefined);
  expect(ids).toHaveLength(count / 2 + 1);
  expect(ids.map(String)).toContain(idOf(count - 2).toHexString());
  expect(ids).toContain('a text');
  expect(statements).toBeLessThan(20);
});
