import { expect, test } from 'vitest';
import { encodeDocument } from '../bson/encode.ts';
import { MongoError } from '../errors/mongo-error.ts';
import { Yielder } from '../event-loop/yielder.ts';
import { Storage } from '../storage/storage.ts';
import type { BsonDocument, BsonValue } from '../values/value.ts';
import { Cursors } from './cursors.ts';
import { runCommand } from './registry.ts';

const doc = (fields: Record<string, BsonValue>): BsonDocument => new Map(Object.entries(fields));

/** Yields whenever it can, and calls back at one of the yields. */
class EagerYielder extends Yielder {
  readonly #onYield: (count: number) => void;
  #count = 0;

  constructor(onYield: (count: number) => void) {
    super();
    this.#onYield = onYield;
  }

  override get isDue(): boolean {
    return true;
  }

  override async yield(): Promise<void> {
    this.#onYield(++this.#count);
  }
}

/** Runs a command on three documents of a megabyte and drops their collection at one of its yields. */
async function runAndDrop(command: BsonDocument, dropAt: number): Promise<unknown> {
  const storage = new Storage(':memory:', 'off');
  const collection = storage.ensure('test', 'things');
  for (let id = 0; id < 3; id++) {
    const document = doc({ _id: id, text: 'x'.repeat(1_100_000) });
    collection.insert(encodeDocument(document), document);
  }
  const yielder = new EagerYielder((count) => {
    if (count === dropAt) storage.drop(collection);
  });
  const context = { storage, cursors: new Cursors(), db: 'test', command, connectionId: 1, yielder };
  try {
    return await runCommand({ ...context, body: encodeDocument(command), sequences: new Map() });
  } catch (error) {
    return error;
  } finally {
    storage.close();
  }
}

test.each([
  ['distinct', doc({ distinct: 'things', key: '_id' })],
  [
    'a $unionWith',
    doc({ aggregate: 1, pipeline: [doc({ $documents: [doc({})] }), doc({ $unionWith: 'things' })], cursor: doc({}) }),
  ],
  [
    'an upsert',
    doc({
      findAndModify: 'things',
      query: doc({ text: doc({ $exists: true }) }),
      sort: doc({ text: 1 }),
      update: doc({ $set: doc({ found: true }) }),
      upsert: true,
    }),
  ],
])('%s fails with QueryPlanKilled when its collection is dropped at a yield', async (_, command) => {
  const outcomes = await Promise.all(Array.from({ length: 8 }, (_element, at) => runAndDrop(command, at + 1)));
  const errors = outcomes.filter((outcome) => outcome instanceof Error);
  expect(errors.length).toBeGreaterThan(2);
  expect(errors.filter((error) => !(error instanceof MongoError && error.code === 175))).toEqual([]);
});

test('an insert creates its collection again when the collection is dropped at a yield', async () => {
  const documents = [doc({ _id: 'a' }), doc({ _id: 'b' }), doc({ _id: 'c' })];
  for (let dropAt = 1; dropAt <= documents.length; dropAt++) {
    const reply = await runAndDrop(doc({ insert: 'things', documents }), dropAt);
    expect(reply).toEqual(doc({ n: 3, ok: 1 }));
  }
});
