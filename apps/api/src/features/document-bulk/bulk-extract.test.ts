import type { BulkEstimate, DocumentBulk, Prompt, Tag } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  responseFormat,
  startAutoCreateTestBench,
  type AutoCreateTestBench,
} from '../../testing/auto-create-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';

// A busy machine needs more time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: AutoCreateTestBench;
let client: TestClient;
beforeAll(async () => {
  bench = await startAutoCreateTestBench();
});
afterAll(() => bench.stop());
beforeEach(async () => {
  client = await bench.addOrganization();
});

const upload = async (text: string) => {
  const { id } = await bench.upload(client, { text });
  return (await bench.waitForEnd(client, id)).id;
};
async function createPrompt(name: string, tag_ids: string[] = []): Promise<Prompt> {
  const { schema_id } = (
    await client.post<{ schema_id: string }>('./schemas', { name, response_format: responseFormat })
  ).body;
  return (await client.post<Prompt>('./prompts', { name, content: 'Read it.', schema_id, tag_ids })).body;
}
async function extract(body: object): Promise<DocumentBulk> {
  const { id } = (await client.post<DocumentBulk>('./documents/bulk', { action: 'extract', ...body })).body;
  const read = async () => (await client.get<DocumentBulk>(`./documents/bulk/${id}`)).body;
  await expect.poll(async () => (await read()).ended_at, { timeout: 20_000 }).not.toBeNull();
  return await read();
}
const estimate = async (body: object) => await client.post<BulkEstimate>('./documents/bulk/estimate', body);

it('says before it starts which prompt runs on which documents, and what it costs', async () => {
  const tag = (await client.post<Tag>('./tags', { name: 'Invoice' })).body.tag_id;
  const own = await createPrompt('Invoices', [tag]);
  const other = await createPrompt('Others');
  const [tagged, bare] = [await upload('Invoice A Total: 5'), await upload('Letter B')];
  await client.patch(`./documents/${tagged}`, { add_tag_ids: [tag] });
  await client.patch(`/v0/orgs/${client.organizationId}`, { on_duplicate: 'mark' });
  const { id: duplicate } = await bench.upload(client, { text: 'Letter B' });

  const { body } = await estimate({ query: {} });
  expect(body).toEqual({
    documents: 3,
    without_prompt: 1,
    only_pending_proposal: 0,
    without_text: 0,
    duplicates: 1,
    by_prompt: [
      {
        prompt_id: own.prompt_id,
        prompt_revid: own.prompt_revid,
        name: 'Invoices',
        documents: 1,
        requests: 1,
        spu_estimated: expect.any(Number),
        sampled: 1,
      },
    ],
  });
  expect(body.by_prompt[0]!.spu_estimated).toBeGreaterThan(0);
  const chosen = await estimate({ document_ids: [tagged, bare, duplicate], prompt_id: other.prompt_id });
  expect(chosen.body).toMatchObject({
    without_prompt: 0,
    duplicates: 1,
    by_prompt: [{ name: 'Others', documents: 2 }],
  });
  expect((await estimate({})).error?.code).toBe('documents_needed');
  expect((await estimate({ query: {}, prompt_id: 'f'.repeat(24) })).error?.code).toBe('unknown_reference');
});

it('names the documents that have no prompt, and what to do', async () => {
  const id = await upload('Letter C');
  const done = await extract({ document_ids: [id] });
  expect(done).toMatchObject({ succeeded: 0, failed: 1 });
  expect(done.failures).toEqual([
    {
      document_id: id,
      document_name: 'note.txt',
      code: 'no_prompt',
      message: 'No prompt applies to this document. Give it a tag of a prompt, or choose a prompt.',
    },
  ]);
});

it('leaves out what the estimate left out, if asked to, so that none of it is called failed', async () => {
  const tag = (await client.post<Tag>('./tags', { name: 'Invoice' })).body.tag_id;
  const { prompt_id } = await createPrompt('Invoices', [tag]);
  const [tagged, bare] = [await upload('Invoice F Total: 5'), await upload('Letter G')];
  await client.patch(`./documents/${tagged}`, { add_tag_ids: [tag] });
  const done = await extract({ query: {}, expected_count: 2, only_estimated: true });
  expect(done).toMatchObject({ total: 1, done: 1, left_out: 1 });
  expect(done.failures.map(({ document_id }) => document_id)).not.toContain(bare);
  expect(await extract({ query: {}, prompt_id, only_estimated: true })).toMatchObject({ total: 2, left_out: 0 });
  const none = await client.post('./documents/bulk', { action: 'extract', document_ids: [bare], only_estimated: true });
  expect(none.error?.code).toBe('documents_needed');
});

it('says what a preparation costs, by the ones before it, and leaves out pending proposals', async () => {
  const id = await upload('Invoice H Total: 5');
  const ofPreparation = { document_ids: [id], action: 'auto_create' };
  const left = { by_prompt: [], without_prompt: 0, only_pending_proposal: 0, without_text: 0, duplicates: 0 };
  const unknown = { documents: 1, spu_estimated: null, sampled: 0 };
  expect((await estimate(ofPreparation)).body).toEqual({ documents: 1, prepared: unknown, ...left });
  const organization_id = new bench.connection.base.Types.ObjectId(client.organizationId);
  const run = { organization_id, kind: 'auto_create', ended_at: new Date() };
  await bench.connection.collection('document_runs').insertMany([
    { ...run, rank: 1, spu_used: 4 },
    { ...run, rank: 2, spu_used: 8 },
    { ...run, rank: 3, spu_used: 100, kind: 'extraction' },
    { ...run, rank: 4, spu_used: 100, ended_at: null },
  ]);
  const other = await upload('Invoice I Total: 6');
  const { ObjectId } = bench.connection.base.Types;
  const set = { $set: { auto_create: { status: 'proposed', run_id: 'r' } } };
  await bench.connection.collection('documents').updateOne({ _id: new ObjectId(other) }, set);
  const damaged = await upload('Invoice J Total: 7');
  const failed = { $set: { state: 'ocr_failed' } };
  await bench.connection.collection('documents').updateOne({ _id: new ObjectId(damaged) }, failed);
  const all = await estimate({ query: {}, action: 'auto_create' });
  const prepared = { documents: 1, spu_estimated: 6, sampled: 2 };
  expect(all.body).toEqual({ documents: 3, prepared, ...left, only_pending_proposal: 1, without_text: 1 });
});

it('never runs the prompt of a pending proposal unasked, and runs it if it is named', async () => {
  const id = await upload('Invoice D Total: 5');
  const { prompt_id } = await createPrompt('Proposed');
  // As an unattended run leaves it: created for the document, and waiting for a decision.
  const { ObjectId } = bench.connection.base.Types;
  await bench.connection
    .collection('prompts')
    .updateOne({ _id: new ObjectId(prompt_id) }, { $set: { review: 'pending', origin_document_id: id } });
  await bench.connection
    .collection('documents')
    .updateOne({ _id: new ObjectId(id) }, { $set: { auto_create: { status: 'proposed', run_id: 'r' } } });
  // Another document of the same proposal, for which its prompt was not created.
  const other = await upload('Invoice E Total: 6');
  await bench.connection
    .collection('documents')
    .updateOne({ _id: new ObjectId(other) }, { $set: { auto_create: { status: 'proposed', run_id: 'r' } } });
  const both = { document_ids: [id, other] };
  expect((await estimate(both)).body).toMatchObject({ by_prompt: [], only_pending_proposal: 2 });
  const done = await extract(both);
  const refused = { code: 'no_prompt', message: expect.stringContaining('Accept the proposal') };
  expect(done.failures).toMatchObject([refused, refused]);
  expect(await bench.extractions(client, id)).toEqual([]);
  expect((await estimate({ document_ids: [id], prompt_id })).body).toMatchObject({ by_prompt: [{ documents: 1 }] });
});
