import type { Collection } from '@docwright/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  collectionPath,
  startCollectionsTestBench,
  type CollectionsTestBench,
} from '../../testing/collections-test-bench.ts';
import { logCommands } from '../../testing/database-use/command-log.ts';
import { extractionModel } from '../extractions/records/extraction-model.ts';
import { collectionModel, entryModel } from './collection-model.ts';
import type { TestClient } from '../../testing/test-client.ts';

// The machine runs other tests at the same time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: CollectionsTestBench;

beforeAll(async () => {
  bench = await startCollectionsTestBench();
});
afterAll(() => bench.app.stop());

const update = (client: TestClient, id: string) => client.post<Collection>(`${collectionPath(id)}/update`);
const names = async (client: TestClient, id: string, query: string) =>
  (await bench.search(client, id, query)).results.map(({ document_name }) => document_name).toSorted();
const none = { added: 0, removed: 0, changed: 0, failed: 0 };

async function collectionOf(client: TestClient, files: Record<string, string>) {
  const documents = await bench.upload(client, files);
  await bench.read();
  const { id } = await bench.apply(client, await bench.source(client, { name_search: 'note' }));
  expect((await bench.get(client, id)).changes).toBeUndefined();
  await bench.index();
  return { id, documents };
}

it('indexes new documents, removes departed ones and retries failed ones, in one update however often it is requested', async () => {
  const client = await bench.app.addOrganization();
  const { id, documents } = await collectionOf(client, {
    'note 1.txt': 'A zebra',
    'note 2.txt': 'Two zebras',
    'note 3.html': '<p>Zebra</p>',
  });
  expect(await bench.get(client, id)).toMatchObject({ status: 'ready', changes: { ...none, failed: 1 } });

  await bench.upload(client, { 'note 4.txt': 'Zebras again', 'other.txt': 'A zebra elsewhere' });
  await client.request('PATCH', `./documents/${documents[1]?.id}`, { payload: { document_name: 'two.txt' } });
  expect(await bench.get(client, id)).toMatchObject({ changes: { added: 1, removed: 1, changed: 0, failed: 1 } });
  expect(await names(client, id, 'zebra')).toEqual(['note 1.txt', 'two.txt']);

  const answers = await Promise.all([update(client, id), update(client, id), update(client, id)]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.find(({ status }) => status === 409)?.error?.code).toBe('collection_indexing');
  await Promise.all([bench.index(), bench.index()]);
  expect(await bench.get(client, id)).toMatchObject({ status: 'indexing', progress: { waiting: 1, indexed: 1 } });
  await bench.read();
  await Promise.all([bench.index(), bench.index()]);
  expect(await bench.get(client, id)).toMatchObject({
    status: 'ready',
    progress: { documents: 3, waiting: 0, indexed: 2, failed: 1, chunks: 2 },
    changes: { ...none, failed: 1 },
  });
  expect(await names(client, id, 'zebra')).toEqual(['note 1.txt', 'note 4.txt']);

  const other = await bench.app.addOrganization();
  expect((await update(other, id)).status).toBe(404);
  const viewer = await bench.app.addUser('viewer', client.organizationId);
  const headers = { 'x-org-id': client.organizationId };
  expect((await viewer.request('POST', `${collectionPath(id)}/update`, { headers })).status).toBe(403);
});

it('resumes an update whose worker died while it queued documents, and a stopped collection', async () => {
  const client = await bench.app.addOrganization();
  const { id, documents } = await collectionOf(client, { 'note 1.txt': 'One okapi', 'note 2.txt': 'Two okapis' });
  const [first, second] = documents.map((document) => document.id);
  await update(client, id);
  // The state after the worker died: one document had left and is back, another one left meanwhile.
  const entries = entryModel(bench.app.connection);
  await entries.updateOne({ document_id: first! }, { $set: { state: 'leaving' } });
  await client.request('PATCH', `./documents/${second}`, { payload: { document_name: 'two.txt' } });
  await bench.index();
  expect(await bench.get(client, id)).toMatchObject({ status: 'ready', progress: { documents: 1, chunks: 1 } });
  expect(await names(client, id, 'okapi')).toEqual(['note 1.txt']);

  await bench.upload(client, { 'note 5.txt': 'An okapi more' });
  await bench.read();
  await update(client, id);
  expect((await client.post<Collection>(`${collectionPath(id)}/stop`)).body).toMatchObject({ status: 'stopped' });
  expect((await bench.get(client, id)).changes).toEqual({ ...none, added: 1 });
  await bench.index();
  await update(client, id);
  await bench.index();
  expect(await names(client, id, 'okapi')).toEqual(['note 1.txt', 'note 5.txt']);
  expect((await collectionModel(bench.app.connection).findById(id).lean())?.round).toBe(3);
});

it('counts and indexes again documents whose result has changed', async () => {
  const client = await bench.app.addOrganization();
  const { id, documents } = await collectionOf(client, { 'note 1.txt': 'An invoice' });
  const prompt = '1'.repeat(24);
  await collectionModel(bench.app.connection).updateOne(
    { _id: id },
    { $set: { 'pipeline.extract': { prompt_revid: prompt } } },
  );
  const now = new Date();
  await extractionModel(bench.app.connection).create({
    organization_id: client.organizationId,
    document_id: documents[0]!.id,
    prompt_revid: prompt,
    prompt_id: 'one',
    version: 2,
    result: '{"total":"quagga"}',
    original_result: '{}',
    grounding: '{}',
    is_edited: true,
    is_verified: false,
    model: 'none',
    usage: { prompt_tokens: 0, completion_tokens: 0, spu: 0, estimated: false },
    created_at: now,
    changed_at: now,
  });
  expect((await bench.get(client, id)).changes).toEqual({ ...none, changed: 1 });
  await update(client, id);
  await bench.index();
  expect(await bench.get(client, id)).toMatchObject({ status: 'ready', changes: none });
  expect(await names(client, id, 'quagga')).toEqual(['note 1.txt']);
});

it('keeps its progress once it is indexed, which equals a count also after the trash and removals', async () => {
  const client = await bench.app.addOrganization();
  const { id, documents } = await collectionOf(client, {
    'note a.txt': 'One',
    'note b.txt': 'Two',
    'note c.html': '<p>Three</p>',
  });
  const collections = collectionModel(bench.app.connection);
  const shown = async () => {
    const { progress, failures } = await bench.get(client, id);
    return { progress, failures };
  };
  const steps = [
    () => client.delete(`./documents/${documents[0]?.id}`),
    () => client.post(`./documents/${documents[0]?.id}/restore`, {}),
    () => client.delete(`./documents/${documents[2]?.id}`),
    () => client.delete(`./documents/trash/${documents[2]?.id}`),
    () => update(client, id),
    () => bench.index(),
  ];
  for (const step of steps) {
    await step();
    const first = await shown();
    await collections.updateOne({ _id: id }, { $unset: { kept: 1 } });
    expect(first).toEqual(await shown());
  }
  expect((await collections.findById(id).lean())?.kept).toMatchObject({ documents: 2 });
});

it('the page of a collection that has not changed reads no entry, and leaves out documents while they are in the trash', async () => {
  const client = await bench.app.addOrganization();
  const files = { 'note 1.txt': 'One', 'note 2.txt': 'Two', 'note 3.txt': 'Three' };
  const { id, documents } = await collectionOf(client, files);
  expect(await bench.get(client, id)).toMatchObject({ progress: { indexed: 3 }, changes: none });
  const log = logCommands(bench.app.connection);
  expect(await bench.get(client, id)).toMatchObject({ progress: { indexed: 3 }, changes: none });
  log.stop();
  const read = log.commands.filter(({ collections }) => collections.includes('collection_documents'));
  // Counts show that they are the same.
  expect(read.map(({ name }) => name)).toEqual(['aggregate', 'aggregate']);

  await client.request('DELETE', `./documents/${documents[0]?.id}`);
  expect(await bench.get(client, id)).toMatchObject({ progress: { indexed: 2 }, changes: { ...none, removed: 1 } });
  await client.post(`./documents/${documents[0]?.id}/restore`);
  expect(await bench.get(client, id)).toMatchObject({ progress: { indexed: 3 }, changes: none });
});
