import { documentStage, documentState } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connectTestDatabase } from '../../../testing/test-database.ts';
import { RunningProcesses } from '../../../platform/processes/running-process-repository.ts';
import { documentModel, type DocumentRecord } from './document-model.ts';
import { documentQuery } from './document-query-repository.ts';
import { createKeptStages, createStageCheck, noteStageCheckDue } from './kept-stage-repository.ts';
import { stageOf } from '../stages/stage-of-document.ts';

let connection: Connection;
let organization_id: mongoose.Types.ObjectId;
const documents = () => documentModel(connection);
const check = async () => await createStageCheck(connection)(new AbortController().signal);
const areKept = async () => await createKeptStages(connection)(organization_id.toHexString());
/** Stores the stages of all documents. */
async function store(): Promise<void> {
  await noteStageCheckDue(connection);
  await check();
}
const id = () => new mongoose.Types.ObjectId();

beforeAll(async () => {
  connection = await connectTestDatabase();
  await documents().createIndexes();
});
afterAll(() => connection.close());
beforeEach(() => {
  organization_id = id();
});

/** Each of these values of each field with each of all others. */
function* combinations(): Generator<Partial<DocumentRecord>> {
  for (const state of documentState.options) {
    for (const status of [undefined, null, 'running', 'proposed', 'accepted'] as const) {
      for (const is_verified of [undefined, false, true]) {
        for (const is_incomplete of [false, true]) {
          for (const to_check of [0, 3]) {
            for (const released of [undefined, ['open'], ['open', 'released']]) {
              for (const isDuplicate of [false, true]) {
                if (isDuplicate && (to_check > 0 || is_incomplete)) continue;
                const review = { is_incomplete, to_check, is_verified };
                yield {
                  state,
                  ...(isDuplicate && { duplicate_of: id() }),
                  ...(status !== undefined && { auto_create: status && { status, run_id: 'r' } }),
                  ...(is_verified !== undefined && { review: { ...review, is_verified } }),
                  ...(released && { releases: released.map((one) => ({ state: one })) as DocumentRecord['releases'] }),
                } as Partial<DocumentRecord>;
              }
            }
          }
        }
      }
    }
  }
}

async function insert(records: readonly object[]): Promise<mongoose.Types.ObjectId[]> {
  const stored = records.map((record) => ({ _id: id(), organization_id, deleted_at: null, ...record }));
  await documents().collection.insertMany(stored);
  return stored.map(({ _id }) => _id);
}
const stages = async (): Promise<Map<string, unknown>> =>
  new Map((await documents().find({ organization_id }).lean()).map(({ _id, stage }) => [_id.toHexString(), stage]));
const stagesOf = async (ids: readonly mongoose.Types.ObjectId[]) => {
  const stored = await stages();
  return ids.map((one) => stored.get(one.toHexString()));
};
async function listed(stage: (typeof documentStage.options)[number], isKept: boolean): Promise<string[]> {
  const stageFacts = { waiting: [], areKept: isKept };
  const query = documentQuery({ organization_id, deleted_at: null }, { stage, stageFacts, include_replaced: true });
  return (await documents().find(query.filter, { _id: 1 }).sort({ _id: 1 }).lean()).map(({ _id }) => String(_id));
}

it('the stored stage is the one that the other fields of a document say, in each combination of them', async () => {
  const records = [...combinations()];
  const ids = await insert(records);
  await store();
  expect(await stagesOf(ids)).toEqual(records.map((record) => stageOf(record as never)));
  for (const stage of documentStage.options) {
    const found = await listed(stage, true);
    expect(found.length, stage).toBeGreaterThan(0);
    expect(found, stage).toEqual(await listed(stage, false));
  }
});

it('a write that can change the stage stores it or removes it in the same write, and a look stores what is missing', async () => {
  const [first, second] = (await insert([{ state: 'uploaded' }, { state: 'uploaded' }])) as [never, never];
  await store();
  const own = { _id: first, organization_id };
  /** The stage that a look shows after a write; before it, and at any time, none or this one is stored. */
  const next = async (write: () => Promise<unknown>) => {
    await write();
    const [written] = await stagesOf([first]);
    expect(await areKept()).toBe(true);
    const [seen, other] = await stagesOf([first, second]);
    expect([undefined, seen]).toContain(written);
    expect(other).toBe('reading');
    return seen;
  };
  const collection = documents().collection;
  expect(await next(() => documents().updateOne(own, { $set: { state: 'ocr_completed' } }))).toBe('ready');
  expect(await next(() => documents().updateOne(own, { $set: { document_name: 'b' } }))).toBe('ready');
  expect(await next(() => documents().updateOne(own, { $set: { 'auto_create.waiting': true } }))).toBe('ready');
  expect(await next(() => collection.updateOne(own, [{ $set: { state: 'llm_processing' } }]))).toBe('reading');
  expect(await next(() => documents().findOneAndUpdate(own, { $set: { state: 'llm_completed' } }))).toBe('ready');
  const review = { to_check: 1, is_verified: false, is_incomplete: false };
  expect(await next(() => documents().updateMany(own, { $set: { review } }))).toBe('needs_you');
  const update = { $set: { 'review.is_verified': true, 'review.to_check': 0 } };
  expect(await next(() => documents().bulkWrite([{ updateOne: { filter: own, update } }]))).toBe('verified');
  expect(await next(() => documents().updateOne(own, { $unset: { review: 1 } }))).toBe('ready');
});

it('a new document has its stage at once', async () => {
  const made = { document_name: 'a', mime_type: 'text/plain', size_bytes: 1, file_id: id(), uploaded_by: id() };
  await documents().create({ ...made, organization_id, state: 'ocr_completed', upload_date: new Date() });
  expect([...(await stages()).values()]).toEqual(['ready']);
});

it('a wrong stage is mended by the daily check', async () => {
  const ids = await insert([{ state: 'ocr_completed' }, { state: 'ocr_failed' }]);
  await store();
  await documents().updateOne({ _id: ids[0]! }, { $set: { stage: 'verified' } });
  await check();
  expect(await stagesOf(ids)).toEqual(['verified', 'needs_you']);
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await connection.collection('document_stage_checks').updateOne({}, { $set: { checked_at: yesterday } });
  await check();
  expect(await stagesOf(ids)).toEqual(['ready', 'needs_you']);
});

it('while a release runs that keeps no stages, and until they are checked after it, lists do not use them', async () => {
  const ids = await insert([{ state: 'ocr_completed' }]);
  await store();
  expect(await areKept()).toBe(true);
  const older = new RunningProcesses(connection, { release: '0.3.0', databaseVersion: 16, servesApi: true }, {
    machine: 'another',
    pid: 1,
    startedAt: 1,
    instance: 'older',
  } as never);
  await older.announce();
  expect(await areKept()).toBe(false);
  await documents().collection.createIndex({
    organization_id: 1,
    deleted_at: 1,
    'review.is_incomplete': 1,
    upload_date: -1,
    _id: -1,
  });
  await documents().updateOne({ _id: ids[0]! }, { $set: { stage: 'proposal' } });
  await check();
  await older.stop();
  // The check has not been repeated since.
  expect(await areKept()).toBe(false);
  await check();
  expect(await areKept()).toBe(true);
  expect(await stagesOf(ids)).toEqual(['ready']);
});

it('a process without stages that ran where no other saw it is known by an index that it made', async () => {
  const ids = await insert([{ state: 'ocr_completed' }]);
  await store();
  await documents().updateOne({ _id: ids[0]! }, { $set: { stage: 'proposal' } });
  const index = { organization_id: 1, deleted_at: 1, 'review.is_incomplete': 1, upload_date: -1, _id: -1 } as const;
  await documents().collection.createIndex(index);
  await check();
  expect(await stagesOf(ids)).toEqual(['ready']);
  const names = (await documents().collection.indexes()).map(({ name }) => name);
  expect(names.filter((name) => name?.includes('review'))).toEqual([]);
});

it('a check that was killed goes on where it stopped', async () => {
  const ids = await insert(Array.from({ length: 5 }, () => ({ state: 'ocr_completed' })));
  await documents().deleteMany({ organization_id: { $ne: organization_id } });
  await noteStageCheckDue(connection);
  const stop = new AbortController();
  stop.abort();
  await createStageCheck(connection, 2)(stop.signal);
  expect(await areKept()).toBe(false);
  expect(await stagesOf(ids)).toEqual(['ready', 'ready', undefined, undefined, undefined]);
  await createStageCheck(connection, 2)(new AbortController().signal);
  expect(await areKept()).toBe(true);
  expect(new Set(await stagesOf(ids))).toEqual(new Set(['ready']));
});
