import type { BackfillReport, Prompt, Run, StartedBackfill, Tag } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  extracted,
  responseFormat,
  startAutoCreateTestBench,
  type AutoCreateTestBench,
} from '../../testing/auto-create-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';

// A busy machine needs more time.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let bench: AutoCreateTestBench;
let client: TestClient;
let tag: string;
let prompt: Prompt;
beforeAll(async () => {
  bench = await startAutoCreateTestBench();
});
afterAll(() => bench.stop());
beforeEach(async () => {
  bench.script(...Array.from({ length: 12 }, () => extracted));
  client = await bench.addOrganization();
  tag = (await client.post<Tag>('./tags', { name: 'Invoice' })).body.tag_id;
  const schema = await client.post<{ schema_id: string }>('./schemas', {
    name: 'Invoice',
    response_format: responseFormat,
  });
  const body = { name: 'Invoices', content: 'Read it.', schema_id: schema.body.schema_id, tag_ids: [tag] };
  prompt = (await client.post<Prompt>('./prompts', body)).body;
});

let made = 0;
async function upload(tagged = true): Promise<string> {
  made += 1;
  const { id } = await bench.upload(client, { text: `Invoice ${made} Total: 5` });
  await bench.waitForEnd(client, id);
  if (tagged) await client.patch(`./documents/${id}`, { add_tag_ids: [tag] });
  return id;
}
const extract = async (id: string, prompt_revid = prompt.prompt_revid) =>
  await client.post(`./documents/${id}/extractions`, { prompt_revid });
const url = () => `./prompts/${prompt.prompt_id}/backfill`;
const start = async (body: object = {}) => await client.post<StartedBackfill>(url(), body);
async function ended(id: string): Promise<Run> {
  const read = async () => (await client.get<Run>(`./runs/${id}`)).body;
  await expect.poll(async () => (await read()).ended_at, { timeout: 20_000 }).not.toBeNull();
  return await read();
}

it('asks for a confirmation of the estimate, then reads what an earlier revision or none has read', async () => {
  const [read, unread] = [await upload(), await upload()];
  await extract(read);
  const verified = await upload();
  await extract(verified);
  await client.put(`./documents/${verified}/extractions/${prompt.prompt_revid}/verification`, { is_verified: true });
  await upload(false);
  expect((await start({ filter: { tag_ids: [tag] } })).error).toMatchObject({
    code: 'confirm_required',
    details: { extractions: 1, up_to_date: 2, duplicates: 0, requests: 1, spu_estimated: expect.any(Number) },
  });
  const next = await client.put<Prompt>(`./prompts/${prompt.prompt_id}`, { content: 'Read it well.' });
  const asked = await start();
  expect([asked.status, asked.error?.details]).toMatchObject([409, { extractions: 3, up_to_date: 0 }]);
  expect((await start({ confirm: { extractions: 2 } })).error?.code).toBe('confirm_required');
  const { status, body } = await start({ confirm: { extractions: 3 } });
  expect(status).toBe(202);
  const run = await ended(body.run!.id);
  // What a user verified is kept.
  expect(run).toMatchObject({ action: 'run_extraction', succeeded: 2, skipped: 1, failed: 0 });
  const of = async (id: string) => (await bench.extractions(client, id)).map(({ prompt_revid }) => prompt_revid);
  expect(await of(unread)).toEqual([next.body.prompt_revid]);
  expect(await of(verified)).toEqual([prompt.prompt_revid]);

  const report = await client.get<BackfillReport>(`${url()}/${run.id}`);
  expect(report.body.difference).toMatchObject({ documents: 1, first_results: 1, different: 0, added: 0 });
  expect(report.body.difference.leaves).toBeGreaterThan(0);
  expect(report.body.difference.same).toBe(report.body.difference.leaves);
  expect((await start()).error?.details).toMatchObject({ extractions: 1 });

  await client.post(`./runs/${run.id}/undo`);
  await expect.poll(async () => (await of(unread)).length, { timeout: 20_000 }).toBe(0);
});

it('counts what has changed in leaves, against the result that was there', async () => {
  const id = await upload();
  await extract(id);
  // As an earlier revision might have read it.
  const { ObjectId } = bench.connection.base.Types;
  await bench.connection
    .collection('extractions')
    .updateOne({ document_id: new ObjectId(id) }, { $set: { result: JSON.stringify({ total: 7, gone: 'x' }) } });
  await client.put<Prompt>(`./prompts/${prompt.prompt_id}`, { content: 'Read it well.' });
  const { body } = await start({ confirm: { extractions: 1 } });
  await ended(body.run!.id);
  const { difference } = (await client.get<BackfillReport>(`${url()}/${body.run!.id}`)).body;
  expect(difference).toMatchObject({ documents: 1, first_results: 0, leaves: 2, different: 2, same: 0 });
});

it('first measures on verified documents if a sample is asked for, and refuses what cannot be', async () => {
  const id = await upload();
  expect((await start({ sample: 5 })).error?.code).toBe('nothing_verified');
  await extract(id);
  await client.put(`./documents/${id}/extractions/${prompt.prompt_revid}/verification`, { is_verified: true });
  const { body, status } = await start({ sample: 5 });
  expect([status, body.run, body.evaluation?.documents.total]).toEqual([202, undefined, 1]);
  expect((await start()).error?.code).toBe('documents_needed');
  expect((await start({ replace: 'verified' })).error?.details).toMatchObject({ extractions: 1 });
  const viewer = (await bench.addUser('viewer', client.organizationId)).in(client.organizationId, 'viewer');
  expect((await viewer.post(url(), {})).error?.code).toBe('viewer_cannot_write');
  const stranger = await bench.addOrganization();
  expect((await stranger.post(url(), {})).error?.code).toBe('prompt_not_found');
});
