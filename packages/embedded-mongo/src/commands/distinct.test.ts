import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { encodeDocument } from '../bson/encode.ts';
import { Yielder } from '../event-loop/yielder.ts';
import type { StoredCollection } from '../storage/collection.ts';
import { Storage } from '../storage/storage.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { Cursors } from './cursors.ts';
import { runCommand } from './registry.ts';

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));
const tools = ['tag', 'read', 'delete', null, 7, ''];
let storage: Storage;
let made: [indexed: StoredCollection, plain: StoredCollection];

beforeAll(() => {
  storage = new Storage(':memory:', 'off');
  made = [storage.ensure('test', 'indexed'), storage.ensure('test', 'plain')];
  for (const key of [
    { owner: 1, tool: 1, at: -1 },
    { owner: 1, user: 1, tool: -1 },
    { owner: 1, parts: 1 },
  ])
    made[0].addIndex(doc({ v: 2, key: doc(key), name: Object.keys(key).join('_') }));
  for (let at = 0; at < 3_000; at += 1) {
    const tool = tools[at % 7];
    const document = doc({
      _id: at,
      owner: at % 2,
      user: at % 3,
      at,
      ...(tool !== undefined && { tool }),
      parts: at % 5 === 0 ? ['a', 'b'] : 'c',
    });
    for (const collection of made) collection.insert(encodeDocument(document), document);
  }
});
afterAll(() => storage.close());

async function valuesOf(collection: string, key: string, query: BsonDocument): Promise<BsonValue> {
  const command = doc({ distinct: collection, key, query });
  const context = { storage, cursors: new Cursors(), db: 'test', command, connectionId: 1, yielder: new Yielder() };
  const reply = (await runCommand({ ...context, body: encodeDocument(command), sequences: new Map() })) as BsonDocument;
  return reply.get('values')!;
}

test.each([
  { key: 'tool', query: doc({ owner: 1 }), reads: 7 },
  { key: 'tool', query: doc({ owner: 1, user: doc({ $in: [2] }) }), reads: 7 },
  { key: 'tool', query: doc({ owner: 5 }), reads: 0 },
  { key: 'tool', query: doc({ owner: 1, user: doc({ $in: [0, 2] }) }), reads: Infinity },
  { key: 'tool', query: doc({ owner: 1, at: doc({ $gt: 500 }) }), reads: Infinity },
  { key: 'parts', query: doc({ owner: 1 }), reads: Infinity },
])(
  'distinct $key of $query: a document of each value, where an index has them in order',
  async ({ key, query, reads }) => {
    const expected = await valuesOf('plain', key, query);
    const read = vi.spyOn(made[0], 'read');
    expect(await valuesOf('indexed', key, query)).toEqual(expected);
    expect(read.mock.calls.length).toBeLessThanOrEqual(reads);
    read.mockRestore();
  },
);
