import { startTestDatabase, WireClient, type TestDatabase } from '@docwright/embedded-mongo/testing';
import { BSON, MongoClient, type Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { howToRun, readSuite, specifications } from './specifications.ts';

interface CorpusFile {
  valid?: { description: string; canonical_bson: string }[];
  decodeErrors?: { description: string; bson: string }[];
}

interface Stored {
  _id: string;
}

let database: TestDatabase;
let client: MongoClient;
let collection: Collection<Stored>;

beforeAll(async () => {
  database = await startTestDatabase();
  client = await new MongoClient(database.uri).connect();
  collection = client.db('corpus').collection('documents');
});

afterAll(async () => {
  await client.close();
  await database.stop();
});

/** A document `{ _id, value: <the corpus document> }` as bytes, whatever is inside. */
function around(id: string, value: Buffer): Buffer {
  const before = Buffer.from(BSON.serialize({ _id: id })).subarray(4, -1);
  const inner = Buffer.concat([Buffer.from('\u0003value\0', 'latin1'), value]);
  const length = Buffer.alloc(4);
  length.writeInt32LE(4 + before.length + inner.length + 1);
  return Buffer.concat([length, before, inner, Buffer.alloc(1)]);
}

if (specifications === undefined) test('the specifications are not on this machine', ({ skip }) => skip(howToRun));

describe.runIf(specifications !== undefined)('BSON corpus', () => {
  for (const { name, text } of readSuite('bson-corpus')) {
    const { valid = [], decodeErrors = [] } = JSON.parse(text) as CorpusFile;

    describe.runIf(valid.length > 0)(
      `${name}: stored and read back byte for byte, also after an update beside it`,
      () => {
        for (const [index, { description, canonical_bson }] of valid.entries()) {
          test(description, async () => {
            const id = `${name} ${index}`;
            const bytes = Buffer.from(canonical_bson, 'hex');
            const wire = await WireClient.connect(database.uri);
            const inserted = await wire.insert('corpus', 'documents', around(id, bytes));
            await wire.close();
            expect(inserted).toMatchObject({ ok: 1, n: 1 });
            await collection.updateOne({ _id: id }, { $set: { beside: 1 } });
            const [raw] = await collection.find({ _id: id }, { raw: true }).toArray();
            const stored = Buffer.from(raw as unknown as Uint8Array);
            expect(stored.includes(bytes), stored.toString('hex')).toBe(true);
          });
        }
      },
    );

    describe.runIf(decodeErrors.length > 0)(`${name}: refused`, () => {
      for (const { description, bson } of decodeErrors) {
        test(description, async () => {
          const wire = await WireClient.connect(database.uri);
          const reply = await wire.insert('corpus', 'refused', around(description, Buffer.from(bson, 'hex')));
          await wire.close();
          expect(reply?.['n'] ?? 0).toBe(0);
        });
      }
    });
  }
});
