import { setTimeout as sleep } from 'node:timers/promises';
import type { Role } from '@docwright/contract';
import mongoose, { type Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { migrate } from '../../process/migrations/migrate.ts';
import { createDocumentRepositories } from '../documents/records/document-repository.ts';
import { createInMemoryHeadlessQueue, type InMemoryHeadlessQueue } from '../../testing/in-memory-headless-queue.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createActiveRunRepository } from './active-run-repository.ts';
import type { NewRun } from './run-repository.ts';
import { createAuditRepositories } from '../audit/audit-repository.ts';
import { createUndoServices } from '../undo/undo-services.ts';
import { createRunServices } from './run-services.ts';

let connection: Connection;
let queue: InMemoryHeadlessQueue = createInMemoryHeadlessQueue();
let organizationId: string;
const signal = new AbortController().signal;
const userId = newId();
const log = { error: vi.fn<() => void>() };

function newId(): string {
  return new mongoose.Types.ObjectId().toHexString();
}

const none = () => {
  throw new Error('Nothing is undone here.');
};

/** The services of one process. */
function services() {
  const auditOf = createAuditRepositories(connection);
  return createRunServices({
    scheduleCreator: async () => undefined,
    connection,
    queue,
    undo: createUndoServices({
      connection,
      auditOf,
      schemas: none,
      prompts: none,
      extractions: none,
      trash: none,
      handlers: new Map(),
      emitPolicyChange: async () => undefined,
      log,
    }).parts,
    auditOf,
    endPending: async () => true,
    toolNames: ['create_tag'],
    checkTags: async () => undefined,
    promptExists: async (_organizationId, promptId) => promptId === existingPrompt,
    wake: async () => undefined,
    poll: () => undefined,
    onEnded: () => undefined,
    log,
  });
}
const existingPrompt = newId();

beforeAll(async () => {
  connection = await connectTestDatabase();
  services();
  await migrate(connection, []);
});
afterAll(() => connection.close());
beforeEach(async () => {
  queue = createInMemoryHeadlessQueue();
  organizationId = newId();
  await setRole('member');
});

async function setRole(role: Role | undefined): Promise<void> {
  const members = role === undefined ? [] : [{ user_id: new mongoose.Types.ObjectId(userId), role }];
  await connection
    .collection('organizations')
    .replaceOne({ _id: new mongoose.Types.ObjectId(organizationId) }, { members }, { upsert: true });
}

async function addDocuments(count: number, name = 'doc'): Promise<string[]> {
  const documents = await createDocumentRepositories(connection)(organizationId).insert(
    Array.from({ length: count }, (_, at) => ({
      document_name: `${name}-${at}`,
      mime_type: 'text/plain',
      size_bytes: 1,
      file_id: newId(),
      tag_ids: [],
      metadata: {},
      uploaded_by: userId,
    })),
  );
  return documents.map(({ id }) => id);
}

async function startRun(rest: Partial<NewRun> = {}): Promise<string> {
  const run = await services()
    .runsOf(organizationId)
    .insert({
      schedule_id: null,
      trigger: 'direct',
      action: 'chat',
      filter: {},
      named_ids: null,
      max_documents: null,
      prompt_id: null,
      message: 'Look at it.',
      auto_approved_tools: [],
      requested_by: userId,
      role: 'admin',
      due_at: null,
      ...rest,
    });
  return run?.id ?? '';
}
const actor = () => ({ organizationId, userId, role: 'admin' as const });
const get = (id: string) => services().runs(actor()).get(id);

test('a run queues its documents and ends with the last of them, whatever their results', async () => {
  const [one = '', two = '', three = ''] = await addDocuments(3);
  queue.refuse.set(two, { code: 'document_has_no_text', message: 'It has no text.' });
  const id = await startRun();
  await services().work.work(signal);
  expect(await get(id)).toMatchObject({ state: 'running', matched: 3, total: 3, waiting: 2, failed: 1 });
  expect(queue.inputs).toMatchObject([
    { kind: 'agent', documentId: one, runId: id, requestedBy: userId, role: 'member', message: 'Look at it.' },
    { documentId: three },
  ]);
  queue.set(one, 'succeeded', { spuUsed: 3 });
  await services().work.work(signal);
  expect((await get(id)).ended_at).toBeNull();
  queue.set(three, 'failed', { spuUsed: 4, error: { code: 'timed_out', message: 'It took too long.' } });
  await services().work.work(signal);
  expect(await get(id)).toMatchObject({
    state: 'completed',
    waiting: 0,
    succeeded: 1,
    failed: 2,
    spu_used: 7,
    ended_at: expect.any(String),
    failures: [
      { document_id: two, code: 'document_has_no_text' },
      { document_id: three, code: 'timed_out' },
    ],
  });
  const page = await services().runs(actor()).documents(id, { skip: 0, limit: 2 });
  expect(page).toMatchObject({
    total_count: 3,
    documents: [{ document_id: two, state: 'failed' }, { document_id: one }],
  });
  const rest = await services().runs(actor()).documents(id, { skip: 2, limit: 2 });
  expect(rest).toMatchObject({ documents: [{ document_id: three, document_name: 'doc-2' }] });
});

test('concurrent workers queue each document once, even if some die in between', async () => {
  const ids = await addDocuments(120);
  const id = await startRun();
  let count = 0;
  queue.beforeEach = () => {
    count += 1;
    if (count === 30 || count === 90) throw new Error('the process died');
  };
  const workers = Array.from({ length: 3 }, () => services().work);
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(workers.flatMap((worker) => [worker.work(signal), worker.queueLarge(signal)]));
    // A released claim can be taken at once.
    await connection.collection('runs').updateMany({ state: 'queued' }, { $unset: { lease: 1 } });
  }
  expect((await get(id)).state).toBe('running');
  expect(queue.entries.map(({ documentId }) => documentId)).toEqual(ids);
});

test('another worker takes a claim that is not renewed, and no renewed one', async () => {
  await addDocuments(1);
  const id = await startRun();
  const leaseMs = 400;
  const [dead, other] = [createActiveRunRepository(connection, leaseMs), createActiveRunRepository(connection)];
  const claim = await dead.claimQueued();
  expect(claim?.run.id).toBe(id);
  for (let times = 0; times < 4; times += 1) {
    expect(await other.claimQueued()).toBeUndefined();
    await sleep(leaseMs / 4);
    await dead.renew(claim!, []);
  }
  expect(await other.claimQueued()).toBeUndefined();
  await sleep(leaseMs * 1.2);
  expect((await other.claimQueued())?.run.id).toBe(id);
  expect(await dead.renew(claim!, [])).toBeUndefined();
});

describe('a stop', () => {
  test('cancels queued documents; the run is stopped when the running ones have ended', async () => {
    const [one = ''] = await addDocuments(3);
    const id = await startRun();
    await services().work.work(signal);
    queue.set(one, 'running');
    expect(await services().runs(actor()).stop(id)).toMatchObject({ state: 'running', cancelled: 2 });
    await services().work.work(signal);
    expect((await get(id)).ended_at).toBeNull();
    queue.set(one, 'succeeded');
    await services().work.work(signal);
    expect(await get(id)).toMatchObject({ state: 'stopped', succeeded: 1, cancelled: 2 });
    await expect(services().runs(actor()).stop(id)).rejects.toMatchObject({ code: 'run_ended' });
  });

  test('that comes when all documents are running leaves a stopped run, whose counts say that all are done', async () => {
    const documents = await addDocuments(2);
    const id = await startRun();
    await services().work.work(signal);
    for (const document of documents) queue.set(document, 'running');
    await services().runs(actor()).stop(id);
    for (const document of documents) queue.set(document, 'succeeded');
    await services().work.work(signal);
    expect(await get(id)).toMatchObject({ state: 'stopped', succeeded: 2, cancelled: 0 });
  });

  test('before the first document was queued prevents all queueing', async () => {
    await addDocuments(2);
    const id = await startRun();
    await services().runs(actor()).stop(id);
    await services().work.work(signal);
    expect(await get(id)).toMatchObject({ state: 'stopped', cancelled: 2, total: 2 });
    expect(queue.entries).toEqual([]);
  });
});

describe('a run that cannot start fails with the reason', () => {
  test.each([
    ['its prompt was deleted', { prompt_id: newId() }, 'member', 'prompt_deleted'],
    ['its requester has left', {}, undefined, 'requester_gone'],
    ['its requester is a viewer now', {}, 'viewer', 'viewer_cannot_write'],
    ['its requester was a viewer', { role: 'viewer' }, 'admin', 'viewer_cannot_write'],
  ] as [string, Partial<NewRun>, Role | undefined, string][])('%s', async (_, rest, current, code) => {
    await addDocuments(1);
    await setRole(current);
    const id = await startRun(rest);
    await services().work.work(signal);
    expect(await get(id)).toMatchObject({ state: 'failed', error: { code }, ended_at: expect.any(String) });
    expect(queue.entries).toEqual([]);
  });
});

describe('the documents of a run', () => {
  test('are the oldest that match, up to the limit, with the number of matches', async () => {
    const ids = await addDocuments(5, 'invoice');
    await addDocuments(2, 'letter');
    const id = await startRun({ filter: { name_search: 'INVOICE', states: ['uploaded'] }, max_documents: 2 });
    await services().work.work(signal);
    expect(await get(id)).toMatchObject({ matched: 5, total: 2 });
    expect(queue.entries.map(({ documentId }) => documentId)).toEqual(ids.slice(0, 2));
  });

  test('can be those without a result of the prompt', async () => {
    const ids = await addDocuments(3);
    const of = (at: number, prompt_id: string) => ({
      organization_id: new mongoose.Types.ObjectId(organizationId),
      document_id: new mongoose.Types.ObjectId(ids[at]),
      prompt_revid: new mongoose.Types.ObjectId(),
      prompt_id,
    });
    await connection.collection('extractions').insertMany([of(0, existingPrompt), of(1, newId())]);
    await startRun({ action: 'run_extraction', filter: { without_result: true }, prompt_id: existingPrompt });
    await services().work.work(signal);
    expect(queue.inputs).toMatchObject([
      { kind: 'extraction', documentId: ids[1], promptId: existingPrompt },
      { documentId: ids[2] },
    ]);
    queue.entries = [];
    await startRun({ filter: { without_result: true } });
    await services().work.work(signal);
    expect(queue.entries.map(({ documentId }) => documentId)).toEqual([ids[2]]);
  });

  test('can be none: the run ends at once', async () => {
    const id = await startRun();
    await services().work.work(signal);
    expect(await get(id)).toMatchObject({ state: 'completed', matched: 0, total: 0 });
  });
});

test('a run of a few documents does not wait until those of a large run are queued', async () => {
  await addDocuments(150, 'many');
  const large = await startRun({ filter: {} });
  const [one = ''] = await addDocuments(1, 'one');
  const small = await startRun({ filter: null, named_ids: [one] });
  await services().work.work(signal);
  expect((await get(small)).state).toBe('running');
  expect(queue.inputs.map(({ runId }) => runId)).toEqual([small]);
  await services().work.queueLarge(signal);
  await services().work.work(signal);
  expect(await get(large)).toMatchObject({ state: 'running', total: 151, waiting: 151 });
});
