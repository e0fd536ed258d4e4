import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import { GridFSBucket, MongoClient } from 'mongodb';
import { size } from './short/size.ts';

/** Rates of the embedded database through the official driver, as a table. */

const documents = size(5_000, 100);
const updates = size(2_000, 50);
const megabytes = size(20, 1);

const dataDir = await mkdtemp(join(tmpdir(), 'docwright-bench-'));
const results: { measure: string; value: string }[] = [];
const report = (measure: string, value: number, unit: string): unknown =>
  results.push({ measure, value: `${Math.round(value).toLocaleString('en')} ${unit}` });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function rate(measure: string, count: number, work: () => Promise<unknown>): Promise<void> {
  report(measure, (count / (await timed(work))) * 1000, 'a second');
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

const started = performance.now();
const database = await startEmbeddedMongo({ dataDir });
report('until it listens', performance.now() - started, 'ms');
const client = await new MongoClient(database.uri).connect();
const db = client.db('bench');
const collection = db.collection('documents');
await collection.createIndex({ key: 1 });

const make = (index: number) => ({
  key: `key-${index}`,
  group: index % 50,
  text: 'x'.repeat(200),
  at: new Date(index),
});
report('memory, idle', await residentMegabytes(database.pid), 'MB');
await rate('inserts, one after another', documents, async () => {
  for (let index = 0; index < documents; index++) await collection.insertOne(make(index));
});
await rate('inserts, ten at a time', documents, async () => {
  for (let index = 0; index < documents; index += 10) {
    await Promise.all(
      Array.from({ length: 10 }, (_, offset) => collection.insertOne(make(documents + index + offset))),
    );
  }
});
await rate('indexed finds, one after another', documents, async () => {
  for (let index = 0; index < documents; index++) await collection.findOne({ key: `key-${index}` });
});
await rate('updates by index', updates, async () => {
  for (let index = 0; index < updates; index++)
    await collection.updateOne({ key: `key-${index}` }, { $inc: { group: 1 } });
});
await rate('documents scanned', 2 * documents, () => collection.countDocuments({ 'text.none': 1 }));
await rate('documents grouped', 2 * documents, () =>
  collection.aggregate([{ $group: { _id: '$group', count: { $sum: 1 } } }, { $sort: { _id: 1 } }]).toArray(),
);

const bucket = new GridFSBucket(db);
const file = Buffer.alloc(megabytes * 1024 * 1024, 'document');
const upload = bucket.openUploadStream('file');
const uploading = timed(async () => {
  upload.end(file);
  await new Promise((resolve, reject) => upload.on('finish', resolve).on('error', reject));
});
report(`${megabytes} MB into GridFS`, await uploading, 'ms');
report(`${megabytes} MB out of GridFS`, await timed(() => buffer(bucket.openDownloadStream(upload.id))), 'ms');
report('memory, after all this', await residentMegabytes(database.pid), 'MB');

await client.close();
report('until it has stopped', await timed(() => database.stop()), 'ms');
await rm(dataDir, { recursive: true, force: true });
console.table(results);
