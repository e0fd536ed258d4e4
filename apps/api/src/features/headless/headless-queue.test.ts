import type { Document, Extraction, Prompt, Schema, Thread } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  responseFormat,
  startAutoCreateTestBench,
  type AutoCreateTestBench,
} from '../../testing/auto-create-test-bench.ts';
import { newId, objectIdOf } from '../../platform/database/object-id.ts';
import type { TestClient } from '../../testing/test-client.ts';
import type { DocumentRun, HeadlessInput, QueueAnswer } from './headless-queue.ts';

let bench: AutoCreateTestBench;
beforeAll(async () => {
  bench = await startAutoCreateTestBench();
});
afterAll(() => bench.stop());

const inputOf = (client: TestClient, documentId: string, rest: Partial<HeadlessInput>): HeadlessInput => ({
  kind: 'agent',
  organizationId: client.organizationId,
  documentId,
  requestedBy: client.userId,
  role: 'admin',
  ...rest,
});

async function readDocument(client: TestClient): Promise<string> {
  const { id } = await bench.upload(client);
  await bench.waitForEnd(client, id);
  return id;
}

function idOf(answer: QueueAnswer | undefined): string {
  if (!answer || !('id' in answer)) throw new Error(`refused: ${JSON.stringify(answer)}`);
  return answer.id;
}

async function waitForEnd(client: TestClient, answer: QueueAnswer | undefined): Promise<DocumentRun> {
  const { queue } = bench.services.headless;
  const read = async () => (await queue.get(client.organizationId, idOf(answer)))!;
  await expect.poll(async () => (await read()).endedAt, { timeout: 10_000 }).not.toBeNull();
  return await read();
}

describe('an agent run', () => {
  it('runs in a thread of its requester, with only the allowed write tools', async () => {
    const client = await bench.addOrganization();
    const documentId = await readDocument(client);
    bench.script(
      { calls: [{ name: 'create_tag', args: { name: 'paid' } }] },
      { calls: [{ name: 'create_schema', args: { name: 'Invoice', response_format: responseFormat } }] },
      { text: 'The tag is made, the schema is not.' },
    );
    const input = inputOf(client, documentId, { message: 'Tag it.', autoApprovedTools: ['create_tag'] });
    const states: string[] = [];
    const stopListening = bench.services.headless.queue.onChange(({ state }) => states.push(state));
    const run = await waitForEnd(client, (await bench.services.headless.queue.queue([input]))[0]);
    expect(run).toMatchObject({ state: 'succeeded', attempts: 1, spuUsed: 3, error: null });
    // The end is stored before it is announced.
    await expect.poll(() => states).toEqual(['queued', 'running', 'succeeded']);
    stopListening();
    const thread = await client.get<Thread>(`./documents/${documentId}/chat/threads/${run.threadId}`);
    expect(thread.body.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect((await bench.records(client)).schemas).toEqual([]);
    expect((await client.get<{ total_count: number }>('./tags')).body.total_count).toBe(1);
  });
});

/** Creates a prompt for a total, and a document with text. */
async function promptAndDocument(client: TestClient): Promise<{ promptId: string; documentId: string }> {
  const documentId = await readDocument(client);
  const { body: schema } = await client.post<Schema>('./schemas', { name: 'S', response_format: responseFormat });
  const body = { name: 'P', content: 'Take it.', schema_id: schema.schema_id };
  const { body: prompt } = await client.post<Prompt>('./prompts', body);
  return { promptId: prompt.prompt_id, documentId };
}

describe('an extraction', () => {
  it('uses the given prompt, and charges for it', async () => {
    const client = await bench.addOrganization();
    const { promptId, documentId } = await promptAndDocument(client);
    bench.script({ text: '{"total": 7}' });
    const input = inputOf(client, documentId, { kind: 'extraction', promptId });
    const run = await waitForEnd(client, (await bench.services.headless.queue.queue([input]))[0]);
    expect(run).toMatchObject({ state: 'succeeded', spuUsed: 1 });
    const found = await bench.extractions(client, documentId);
    expect(found).toMatchObject([{ result: { total: 7 } } satisfies Partial<Extraction>]);
  });

  it("is not repeated if its worker died after storing the result, and keeps a user's edit", async () => {
    const client = await bench.addOrganization();
    const { promptId, documentId } = await promptAndDocument(client);
    // One answer only: a second request would fail.
    bench.script({ text: '{"total": 7}' });
    const input = inputOf(client, documentId, { kind: 'extraction', promptId });
    const [queued] = await bench.services.headless.queue.queue([input]);
    await waitForEnd(client, queued);
    const [found] = await bench.extractions(client, documentId);
    const edit = { path: 'total', value: 8, base_version: 1 };
    await client.patch(`./documents/${documentId}/extractions/${found!.prompt_revid}`, edit);
    // The state after a worker was killed right after storing the result.
    const died = { state: 'queued', ended_at: null };
    await bench.connection
      .collection('documents')
      .updateOne({ _id: objectIdOf(documentId)! }, { $set: { state: 'llm_processing' } });
    await bench.connection.collection('document_runs').updateOne({ _id: objectIdOf(idOf(queued))! }, { $set: died });
    bench.services.headless.worker.wake();
    expect(await waitForEnd(client, queued)).toMatchObject({ state: 'succeeded', attempts: 2, error: null });
    expect(await bench.extractions(client, documentId)).toMatchObject([{ version: 2, result: { total: 8 } }]);
    expect((await client.get<Document>(`./documents/${documentId}`)).body.state).toBe('llm_completed');
  });

  it('fails with the reason if no prompt exists', async () => {
    const client = await bench.addOrganization();
    const documentId = await readDocument(client);
    const input = inputOf(client, documentId, { kind: 'extraction' });
    const run = await waitForEnd(client, (await bench.services.headless.queue.queue([input]))[0]);
    expect(run).toMatchObject({ state: 'failed', error: { code: 'no_prompt' } });
  });
});

describe('a batch', () => {
  it('is counted and can be cancelled: queued runs at once, running ones at their next safe point', async () => {
    const client = await bench.addOrganization();
    const documentId = await readDocument(client);
    const runId = newId();
    bench.script(...Array.from({ length: 10 }, () => ({ hangs: true as const })));
    const inputs = Array.from({ length: 10 }, () => inputOf(client, documentId, { runId, message: 'Wait.' }));
    const { queue } = bench.services.headless;
    await queue.queue(inputs);
    const counts = () => queue.countsOfRun(client.organizationId, runId);
    // One organization cannot occupy all workers.
    await expect.poll(async () => (await counts()).running, { timeout: 10_000 }).toBe(6);
    expect(await counts()).toMatchObject({ queued: 4, running: 6 });
    expect(await queue.cancel(client.organizationId, runId)).toBe(10);
    await expect.poll(async () => (await counts()).cancelled, { timeout: 10_000 }).toBe(10);
    const { documentRuns, total_count } = await queue.listOfRun(client.organizationId, runId, { skip: 8, limit: 5 });
    expect([documentRuns.length, total_count]).toEqual([2, 10]);
  });
});
