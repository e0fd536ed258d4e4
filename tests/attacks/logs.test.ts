import mongoose from 'mongoose';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loggerOptions } from '../../apps/api/src/platform/log/logger.ts';
import { startTestApp, type TestApp } from '../../apps/api/src/testing/test-app.ts';

/** Part of every text, name and value in these tests; must not appear in a log line. */
const marker = 'Kontoauszug4711';
const lines: string[] = [];
let harness: TestApp;
beforeAll(async () => {
  const logger = pino(loggerOptions('trace'), { write: (line: string) => void lines.push(line) });
  harness = await startTestApp({ logger });
});
afterAll(async () => harness.stop());

const contentOf = (text: string) => Buffer.from(`${marker} ${text}`).toString('base64');
const upload = (name: string) =>
  harness.admin.post<{ documents: { id: string }[] }>('./documents', {
    documents: [{ name, content: contentOf(name) }],
  });
const unique = (collection: string, field: string) =>
  harness.connection.collection(collection).createIndex({ [field]: 1 }, { unique: true, name: 'provoked' });

it('no log line quotes a document after any failure', async () => {
  // The database refuses a bulk write.
  await unique('documents', 'document_name');
  const twice = { documents: [1, 2].map((at) => ({ name: `${marker}.txt`, content: contentOf(`${at}`) })) };
  expect((await harness.admin.post('./documents', twice)).status).toBe(500);
  await harness.connection.collection('documents').dropIndex('provoked');

  // The file of a document is damaged.
  await upload(`${marker} a.txt`);
  await harness.connection.collection('files.chunks').deleteMany({});
  await harness.services.documents.textReading.readAll(new AbortController().signal);

  // The JSON parser quotes invalid input in its error.
  const broken = await harness.admin.request('POST', './tags', {
    payload: `{"name": "${marker}" "color"}`,
    headers: { 'content-type': 'application/json' },
  });
  expect(broken.status).toBe(400);

  // Errors that our own services throw.
  const log = harness.app.log;
  const model = harness.connection.model('Provoked', new mongoose.Schema({ amount: Number }));
  const invalid = await new model({ amount: marker }).validate().catch((error: unknown) => error);
  const cast = new mongoose.Error.CastError('Number', marker, 'amount');
  const collection = harness.connection.collection('provoked');
  await collection.createIndex({ text: 1 }, { unique: true });
  const records = [{ text: marker }, { text: marker }];
  const bulk = await collection.insertMany(records).catch((error: unknown) => error);
  const one = await collection.insertOne({ text: marker }).catch((error: unknown) => error);
  const update = await collection.updateOne({}, { [`$${marker}`]: 1 }).catch((error: unknown) => error);
  const parsed = (() => {
    try {
      return JSON.parse(marker);
    } catch (error) {
      return error;
    }
  })();
  for (const err of [invalid, cast, bulk, one, update, parsed, new Error('outer', { cause: bulk })]) {
    expect(err).toBeInstanceOf(Error);
    expect(JSON.stringify(err instanceof Error ? [err.message, err] : err) + String(err)).toBeTruthy();
    log.error({ err }, 'provoked');
  }

  const provoked = lines.map((line) => JSON.parse(line)).filter(({ err }) => err !== undefined);
  expect(provoked.length).toBeGreaterThan(8);
  expect(provoked.find(({ err }) => err.code === 11_000)).toBeDefined();
  expect(provoked.every(({ err }) => typeof err.type === 'string')).toBe(true);
  expect(lines.filter((line) => line.includes(marker))).toEqual([]);
});
