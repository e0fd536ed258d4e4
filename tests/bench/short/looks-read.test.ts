import { BSON, ObjectId } from 'mongodb';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentListQuery } from '@docwright/contract';
import { decodeDocument } from '../../../packages/embedded-mongo/src/bson/decode.ts';
import { Yielder } from '../../../packages/embedded-mongo/src/event-loop/yielder.ts';
import { countHits } from '../../../packages/embedded-mongo/src/execution/count-hits.ts';
import { findHits } from '../../../packages/embedded-mongo/src/execution/find.ts';
import type { StoredCollection } from '../../../packages/embedded-mongo/src/storage/collection.ts';
import { Storage } from '../../../packages/embedded-mongo/src/storage/storage.ts';
import { documentModel } from '../../../apps/api/src/features/documents/records/document-model.ts';
import { documentQuery } from '../../../apps/api/src/features/documents/records/document-query-repository.ts';
import { documentFilters, inPairs } from '../../load/scenarios/looks.ts';
import { idOf, seededDocument } from '../../load/seed.ts';

/** The short form of `npm run load -- lists`: documents that a look reads, in place of its time. */
const count = 6_000;
const hex = (at: number) => at.toString(16).padStart(24, '0');
const owner = {
  organization_id: new ObjectId(hex(1)),
  user: new ObjectId(hex(2)),
  tagIds: [hex(3), hex(4), hex(5)],
  prompt: { prompt_id: hex(6), prompt_revid: hex(7) },
};
const documentOf = (fields: object) => decodeDocument(Buffer.from(BSON.serialize(fields)));

let storage: Storage;
let collection: StoredCollection;
beforeAll(() => {
  storage = new Storage(':memory:', 'off');
  collection = storage.ensure('test', 'documents');
  const { schema } = documentModel(mongoose.createConnection());
  for (const [at, [key, options]] of schema.indexes().entries()) {
    if ('partialFilterExpression' in options) continue;
    collection.addIndex(
      documentOf({ v: 2, key, name: `index ${at}`, ...(options['sparse'] === true && { sparse: true }) }),
    );
  }
  for (let index = 0; index < count; index += 1) {
    const _id = idOf(index);
    const record = { _id, organization_id: owner.organization_id, ...seededDocument(index, _id, owner) };
    const bytes = Buffer.from(BSON.serialize(record));
    collection.insert(bytes, decodeDocument(bytes));
  }
}, 120_000);
afterAll(() => storage.close());

/** Wraps the reading of documents. */
async function readBy(work: () => Promise<unknown>): Promise<number> {
  const statement = storage.statement.bind(storage);
  let read = 0;
  storage.statement = (sql) => {
    const prepared = statement(sql);
    if (!/\bdoc\b/u.test(sql)) return prepared;
    return new Proxy(prepared, {
      get(target, name) {
        if (name === 'iterate') {
          return function* (...parameters: Parameters<typeof prepared.iterate>) {
            for (const row of target.iterate(...parameters)) {
              read += 1;
              yield row;
            }
          };
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  };
  await work().finally(() => {
    storage.statement = statement;
  });
  return read;
}

const looks = Object.entries(inPairs('documents', '/documents?limit=20', documentFilters(owner)))
  // The index of names is another kind.
  .filter(([name]) => !/name/u.test(name));

test.each(looks)('%s: reads few documents', async (_, path) => {
  const {
    skip: _skip,
    limit,
    ...query
  } = documentListQuery.parse(Object.fromEntries(new URLSearchParams(path.split('?')[1])));
  const own = { organization_id: owner.organization_id, deleted_at: null };
  const { filter, sort } = documentQuery(own, { ...query, stageFacts: { waiting: [], areKept: true } });
  const [asked, order] = [documentOf(filter), documentOf(sort)];
  const counting = await readBy(() => countHits(collection, { filter: asked, limit: 10_001 }, new Yielder()));
  expect(counting, 'the count').toBeLessThanOrEqual(2_000);
  const listing = await readBy(() => findHits(collection, { filter: asked, sort: order, limit }, new Yielder()));
  expect(listing, 'the page').toBeLessThanOrEqual(2_000);
});
