import mongoose, { type Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { storedCopyModel, storedCopyPieceModel } from '../../platform/database/stored-copies/stored-copy-model.ts';
import { createStoredCopies } from '../../platform/database/stored-copies/stored-copy-repository.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { removedResultModel } from '../extractions/index.ts';
import { resultIndexModel, resultStampModel } from './result-index-model.ts';
import { createResultIndex } from './result-index-repository.ts';
import { createResultTables } from './result-tables.ts';

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
  for (const model of [resultIndexModel, resultStampModel, storedCopyModel, storedCopyPieceModel])
    await model(connection).createIndexes();
});
afterEach(() => vi.useRealTimers());
afterAll(() => connection.close());

const newId = () => new mongoose.Types.ObjectId();
const count = 4_100;
const hourMs = 3_600_000;

/** A prompt with results of many documents, and processes that read them. */
async function promptWithResults() {
  const organization_id = newId();
  const key = { organizationId: organization_id.toHexString(), promptId: newId().toHexString() };
  const revision = newId();
  const index = createResultIndex(connection);
  const entries = resultIndexModel(connection).collection;
  const raise = () =>
    resultStampModel(connection).updateOne(
      { _id: `${key.organizationId}/${key.promptId}` },
      { $inc: { stamp: 1 } },
      { upsert: true },
    );
  const documents = Array.from({ length: count }, newId);
  const entryOf = (document_id: mongoose.Types.ObjectId, at: number) => ({
    organization_id,
    prompt_id: key.promptId,
    document_id,
    document_name: `Invoice ${at}.pdf`,
    prompt_revid: revision,
    version: 1,
    release: at % 5 === 0 ? 'released' : 'open',
    is_verified: at % 4 === 0,
    is_complete: at % 3 === 0,
    result: JSON.stringify({ total: at % 97, paid: at % 2 === 0, ...(at % 10 === 0 && { note: `n${at}` }) }),
    exact: at === 7 ? '{"total":"7.10"}' : '{}',
    changed_at: new Date(1_700_000_000_000 + (at % 50) * 1_000),
    writes: 1,
    indexed_at: new Date(Date.now() - hourMs),
  });
  await entries.insertMany(documents.map(entryOf) as never[]);
  await raise();
  return {
    key,
    documents,
    /** As in a process that has just started: its tables, and how often it read all entries. */
    process: () => {
      const reads = { all: 0 };
      const tables = createResultTables(
        {
          ...index,
          entries: (prompt, since) => {
            reads.all += Number(since === undefined);
            return index.entries(prompt, since);
          },
        },
        createStoredCopies(connection),
      );
      return { ...tables, reads };
    },
    write: async (document_id: mongoose.Types.ObjectId, total: number) => {
      const change = { $set: { result: JSON.stringify({ total }) }, $currentDate: { indexed_at: true } } as const;
      await entries.updateOne({ organization_id, document_id }, change);
      await raise();
    },
    change: async (some: number) => {
      const among = { organization_id, document_id: { $in: documents.slice(0, some) } };
      await entries.updateMany(among, { $set: { version: 2 }, $currentDate: { indexed_at: true } });
      await raise();
    },
    purge: async (document_id: mongoose.Types.ObjectId) => {
      const removed = { organization_id, document_id, prompt_id: key.promptId };
      await removedResultModel(connection).collection.insertOne(removed);
      await index.update({ ...key, documentId: document_id.toHexString() });
    },
    stored: () => storedCopyModel(connection).findOne({ organization_id }).lean(),
    pieces: () => storedCopyPieceModel(connection).collection.find({ organization_id }).sort({ at: 1 }).toArray(),
  };
}

type Tables = Awaited<ReturnType<ReturnType<Awaited<ReturnType<typeof promptWithResults>>['process']>['get']>>;

/** All rows as a page shows them, in an order. */
const rowsOf = ({ store }: Tables, path = 'total', descending = false) =>
  [...store.sorted(path, descending)].map((row) => [
    store.head(row),
    ...['total', 'paid', 'note'].map((column) => store.reader(column)(row)),
    store.exact(row, 'total'),
  ]);

it('a later process has the same rows, orders and columns without reading the results', async () => {
  const { key, process } = await promptWithResults();
  const first = process();
  const table = await first.get(key);
  await table.store.order('changed_at', true);
  await first.store(key);

  const later = process();
  const restored = await later.get(key);
  expect(later.reads.all).toBe(0);
  for (const [path, descending] of [
    ['changed_at', true],
    ['total', false],
    ['document_name', true],
  ] as const)
    expect(rowsOf(restored, path, descending)).toEqual(rowsOf(table, path, descending));
  expect(restored.store.columns()).toEqual(table.store.columns());
  expect([restored.store.size, restored.store.cells]).toEqual([table.store.size, table.store.cells]);
});

it('what two processes change between storing and a start is seen', async () => {
  const { key, process, write, purge, documents } = await promptWithResults();
  const [one, other] = [process(), process()];
  await one.get(key);
  await one.store(key);
  await write(documents[3]!, 1_000);
  await other.get(key);
  await other.store(key);
  await write(documents[4]!, 2_000);

  const later = process();
  const totals = rowsOf(await later.get(key), 'total', true).map(([, total]) => total);
  expect([later.reads.all, totals.slice(0, 2), totals.length]).toEqual([0, [2_000, 1_000], count]);
  await write(documents[4]!, 3_000);
  await purge(documents[5]!);
  for (const tables of [one, later]) {
    const table = await tables.get(key);
    expect(rowsOf(table, 'total', true)[0]?.[1]).toBe(3_000);
    expect(documents.slice(3, 7).map((id) => table.store.rowsOf(id.toHexString()).length)).toEqual([1, 1, 0, 1]);
  }
});

it('a copy that is too old, of another format, damaged or not complete is read anew', async () => {
  const { key, process, stored, pieces } = await promptWithResults();
  const first = process();
  const table = await first.get(key);
  await first.store(key);
  const { _id } = (await stored())!;
  const own = { _id: (await pieces())[1]!._id };
  const [copies, parts] = [storedCopyModel(connection), storedCopyPieceModel(connection).collection];
  const spoils = [
    async () => void vi.useFakeTimers({ now: Date.now() + 23 * hourMs, toFake: ['Date'] }),
    async () => void (await copies.updateOne({ _id }, { $inc: { format: 1 } })),
    async () => void (await parts.updateOne(own, { $set: { bytes: Buffer.from('x') } })),
    async () => void (await parts.deleteOne(own)),
  ];
  for (const spoil of spoils) {
    await spoil();
    const later = process();
    expect(rowsOf(await later.get(key))).toEqual(rowsOf(table));
    expect(later.reads.all).toBe(1);
    vi.useRealTimers();
    await copies.updateOne({ _id }, { $set: { format: 1 } });
  }
});

it('nothing of a removed document stays stored, also if it is removed while the table is being stored', async () => {
  const { key, process, purge, documents, stored, pieces } = await promptWithResults();
  const first = process();
  await first.get(key);
  await first.store(key);
  expect((await pieces()).length).toBeGreaterThan(1);
  await purge(documents[5]!);
  expect([await stored(), await pieces()]).toEqual([null, []]);

  vi.useFakeTimers({ now: Date.now() + hourMs, toFake: ['Date'] });
  await first.get(key);
  const storing = first.store(key);
  await vi.waitFor(async () => expect((await pieces()).length).toBeGreaterThan(0), { interval: 1 });
  await purge(documents[6]!);
  await storing;
  expect([await stored(), await pieces()]).toEqual([null, []]);
  expect(rowsOf(await process().get(key)).length).toBe(count - 2);
});

it('a process stores its own copy again once enough has changed', async () => {
  const { key, process, change, stored } = await promptWithResults();
  const tables = process();
  await tables.get(key);
  await tables.store(key);
  const first = await stored();
  await change(2_000);
  await tables.get(key);
  vi.useFakeTimers({ now: Date.now() + hourMs, toFake: ['Date'] });
  await tables.store(key);
  expect((await stored())?.pieces_id).not.toEqual(first?.pieces_id);
});

it('what cannot be stored leaves no pieces', async () => {
  const { key, pieces } = await promptWithResults();
  const copies = createStoredCopies(connection);
  const own = { organizationId: key.organizationId, name: 'a copy', format: 1 };
  const failing = async function* () {
    yield Buffer.from('one');
    throw new Error('The rest cannot be made.');
  };
  await expect(copies.store(own, {}, failing())).rejects.toThrow('cannot be made');
  expect(await pieces()).toEqual([]);
});
