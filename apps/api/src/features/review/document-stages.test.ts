import type { Document, DocumentBulk, DocumentStage, Prompt } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  createInvoicePrompt,
  startEvaluationTestBench,
  type EvaluationTestBench,
} from '../../testing/evaluation-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { pendingCallModel } from '../turns/index.ts';
import { documentModel } from '../documents/index.ts';

let bench: EvaluationTestBench;
let client: TestClient;
let prompt: Prompt;
beforeAll(async () => {
  bench = await startEvaluationTestBench();
});
afterAll(async () => bench.stop());
beforeEach(async () => {
  client = await bench.addOrganization();
  prompt = await createInvoicePrompt(client);
});

const read = async () => await bench.services.documents.textReading.readAll(new AbortController().signal);
const queue = async () => await bench.services.queueUpdater.work(new AbortController().signal);
async function upload(name: string): Promise<string> {
  const content = Buffer.from(`value ${name}`).toString('base64');
  const { body } = await client.post<{ documents: [Document] }>('./documents', { documents: [{ name, content }] });
  return body.documents[0].id;
}
/** A result whose number stands nowhere is to check. */
async function extract(id: string): Promise<void> {
  bench.answer(() => ({ number: 'nowhere at all', total: null, lines: [] }));
  const answer = await client.post(`./documents/${id}/extractions`, { prompt_revid: prompt.prompt_revid });
  expect(answer.status, answer.text).toBe(201);
}
const verify = async (id: string) =>
  await client.put(`./documents/${id}/extractions/${prompt.prompt_revid}/verification`, {
    is_verified: true,
    seen: true,
  });
const listed = async (stage: DocumentStage) =>
  (await client.get<{ documents: Document[]; total_count: number }>(`./documents?stage=${stage}&sort=document_name`))
    .body;
const names = async (stage: DocumentStage) => (await listed(stage)).documents.map((one) => one.document_name);
async function setRecord(id: string, set: object): Promise<void> {
  await documentModel(bench.connection).updateOne({ _id: new mongoose.Types.ObjectId(id) }, { $set: set });
}
async function addPendingCall(documentId: string, userId: string): Promise<void> {
  const id = () => new mongoose.Types.ObjectId();
  await pendingCallModel(bench.connection).create({
    call_id: id().toHexString(),
    turn_id: id(),
    thread_id: id(),
    organization_id: new mongoose.Types.ObjectId(client.organizationId),
    document_id: new mongoose.Types.ObjectId(documentId),
    user_id: new mongoose.Types.ObjectId(userId),
    tool: 'create_tag',
    group: 'g',
    names: {},
    is_unattended: false,
    waiting_since: new Date(),
    expires_at: new Date(Date.now() + 60_000),
    decision: null,
  });
}

it('each document is in the stage of what comes next for it', async () => {
  const [ready, checked, verified, failed, proposed, waiting] = [
    await upload('ready'),
    await upload('to check'),
    await upload('verified'),
    await upload('failed'),
    await upload('proposed'),
    await upload('waiting'),
  ];
  await read();
  await upload('unread');
  await extract(checked);
  await extract(verified);
  await queue();
  expect(await names('needs_you')).toEqual(['to check', 'verified']);
  await verify(verified);
  await queue();
  await setRecord(failed, { state: 'llm_failed' });
  await setRecord(proposed, { auto_create: { status: 'proposed', run_id: 'r' } });
  await addPendingCall(waiting, client.actor.userId);
  expect(await names('reading')).toEqual(['unread']);
  expect(await names('ready')).toEqual(['ready']);
  expect(await names('proposal')).toEqual(['proposed']);
  expect(await names('needs_you')).toEqual(['failed', 'to check', 'waiting']);
  expect(await names('verified')).toEqual(['verified']);
  expect(await names('released')).toEqual([]);
  await client.post(`./documents/${verified}/extractions/${prompt.prompt_revid}/release`, {});
  await setRecord(verified, { releases: [{ prompt_id: 'p', prompt_revid: 'r', version: 1, state: 'released' }] });
  expect([await names('verified'), await names('released')]).toEqual([[], ['verified']]);
  // A user releases a result with a value that is to check: the document is released, and asks nothing anymore.
  await setRecord(checked, { releases: [{ prompt_id: 'p', prompt_revid: 'r', version: 1, state: 'released' }] });
  expect(await names('released')).toEqual(['to check', 'verified']);
  expect(await names('needs_you')).toEqual(['failed', 'waiting']);
  await setRecord(checked, { releases: [] });
  const { documents } = await listed('needs_you');
  expect(documents.map(({ waiting_calls }) => waiting_calls)).toEqual([undefined, undefined, 1]);
  expect((await client.get<Document>(`./documents/${ready}`)).body.waiting_calls).toBeUndefined();

  // A bulk action works on exactly what the list shows.
  const bulk = await client.post<DocumentBulk>('./documents/bulk', {
    query: { stage: 'needs_you' },
    action: 'delete',
    expected_count: 3,
  });
  expect(bulk.body).toMatchObject({ total: 3 });
});

it('a document whose only result was removed, as that of a rejected proposal is, is ready again', async () => {
  const id = await upload('rejected');
  await read();
  await setRecord(id, { review: { to_check: 2, is_verified: false, is_incomplete: false } });
  await setRecord(id, { auto_create: { status: 'rejected', run_id: 'r' } });
  expect([await names('ready'), await names('needs_you')]).toEqual([['rejected'], []]);
});

it('a call that waits for somebody else asks nothing of the user', async () => {
  const id = await upload('theirs');
  await read();
  const member = await bench.addUser('member', client.organizationId);
  await addPendingCall(id, member.actor.userId);
  expect([await names('ready'), await names('needs_you')]).toEqual([['theirs'], []]);
  const seen = await member.get<{ documents: Document[] }>('./documents?stage=needs_you');
  expect(seen.body.documents).toMatchObject([{ id, waiting_calls: 1 }]);
});

it('pages of a stage follow each other', async () => {
  for (const name of ['a', 'b', 'c']) await upload(name);
  await read();
  const page = async (more: string) =>
    (await client.get<{ documents: Document[]; next_cursor: string | null }>(`./documents?stage=ready&limit=2${more}`))
      .body;
  const first = await page('');
  const second = await page(`&cursor=${encodeURIComponent(first.next_cursor ?? '')}`);
  expect([...first.documents, ...second.documents].map((one) => one.document_name)).toEqual(['c', 'b', 'a']);
});

it('a verified result asks nothing of users at once, and an event says when values to check were counted', async () => {
  const id = await upload('counted');
  await read();
  await extract(id);
  const one = async () => (await client.get<Document>(`./documents/${id}`)).body.results;
  const events = new AbortController();
  const stream = await fetch(`${bench.address}/v0/orgs/${client.organizationId}/documents/${id}/events`, {
    headers: { authorization: `Bearer ${client.accessToken}` },
    signal: events.signal,
  });
  let received = '';
  let seen = '';
  for await (const chunk of stream.body ?? []) {
    received += Buffer.from(chunk).toString();
    const counts = [...received.matchAll(/"review_changes":(\d+)/gu)].map(([, count]) => count!);
    seen = counts.at(-1) ?? '';
    if (counts.length === 1) await queue();
    if (new Set(counts).size > 1) break;
  }
  events.abort();
  expect(seen).not.toBe('');
  expect((await one())?.to_check).toBeGreaterThan(0);
  // The queue of Review is not updated yet.
  await verify(id);
  expect(await one()).toEqual({ to_check: 0, is_verified: true });
});
