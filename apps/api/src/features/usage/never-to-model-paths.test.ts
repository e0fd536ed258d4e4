import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createOpenAiLlmClient, type LlmRequest } from '@docwright/agent-core';
import { startDemoModel, type DemoModel } from '@docwright/demo-model';
import type { Document, Evaluation, Prompt, Run, Source, Tag } from '@docwright/contract';
import mongoose from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startJobs } from '../../process/start-jobs.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';

const marked = 'Zaubernuss';
let demo: DemoModel;
let app: TestApp;
let client: TestClient;
const requests: LlmRequest[] = [];

beforeAll(async () => {
  // Behaves as a model of another machine, so that nothing counts as local.
  demo = await startDemoModel();
  const llm = createOpenAiLlmClient({ baseUrl: demo.baseUrl });
  app = await startTestApp({
    settings: { LLM_BASE_URL: 'http://127.0.0.1:9/v1', LLM_MODEL: demo.model },
    llmEndpoint: { baseUrl: 'http://127.0.0.1:9/v1', apiKey: undefined, model: demo.model },
    llm: {
      async *stream(request) {
        requests.push(request);
        yield* llm.stream(request);
      },
    },
  });
  await startJobs(app.services);
});
afterAll(async () => {
  await app.stop();
  await demo.close();
});

let kept: string;
let open: string;
beforeEach(async () => {
  client = await app.addOrganization();
  kept = await upload(`${marked}.txt`, `Invoice of ${marked}\nInvoice number: ${marked}-1\nTotal: 5`);
  open = await upload('open.txt', 'Invoice of Contoso\nInvoice number: C-1\nTotal: 7');
  expect((await client.patch<Document>(`./documents/${kept}`, { never_to_model: true })).status).toBe(200);
  requests.length = 0;
});

async function upload(name: string, text: string): Promise<string> {
  const documents = [{ name, content: Buffer.from(text).toString('base64') }];
  const { body } = await client.post<{ documents: Document[] }>('./documents', { documents });
  const { id } = body.documents[0]!;
  const isRead = async () => (await client.get<Document>(`./documents/${id}`)).body.state;
  await expect.poll(isRead, { timeout: 20_000 }).toBe('ocr_completed');
  return id;
}
const say = (content: string) => ({ messages: [{ role: 'user', content }] });
const v2 = (method: 'POST' | 'GET', route: string, payload?: object) =>
  client.request<{ id: string }>(method, `/api/v2${route}`, {
    headers: { 'x-org-id': client.organizationId },
    ...(payload && { payload }),
  });

async function ended(id: string): Promise<Run> {
  const get = async () => (await client.get<Run>(`./runs/${id}`)).body;
  await expect.poll(async () => (await get()).state, { timeout: 20_000 }).toMatch(/completed|failed|stopped/);
  return await get();
}

async function prompt(): Promise<Prompt> {
  const schema = {
    type: 'object',
    properties: { invoice_number: { type: ['string', 'null'] } },
    required: ['invoice_number'],
    additionalProperties: false,
  };
  const response_format = { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } };
  const made = await client.post<{ schema_id: string }>('./schemas', { name: 'Invoice', response_format });
  const { schema_id } = made.body;
  return (await client.post<Prompt>('./prompts', { name: 'Invoice', content: 'Take the number.', schema_id })).body;
}

/** Work by each caller of the metered client, over the kept document and another one. */
const paths: Record<string, () => Promise<unknown>> = {
  'chat/chat-service.ts': () => client.post(`./documents/${kept}/chat`, say('What does it say?')),
  'chat/running/start-turn.ts': () => client.post(`./documents/${open}/chat`, say('Which documents are there?')),
  'extractions/run-extraction.ts': async () => {
    const { prompt_revid } = await prompt();
    await client.post(`./documents/${kept}/extractions`, { prompt_revid });
    return await client.post(`./documents/${open}/extractions`, { prompt_revid });
  },
  'headless/run-agent.ts': async () => {
    await client.post(`./documents/${kept}/auto_create`);
    const document_ids = [kept, open];
    const { body } = await client.post<Run>('./runs', { document_ids, message: 'What is the total?' });
    return await ended(body.id);
  },
  'tasks/task-turn.ts': () =>
    client.post(`/api/v1/agent/${client.userId}/chat`, { message: 'List my documents', conversation_id: null }),
  'routing/feature.ts': () =>
    client.post('./routes/simulate', {
      routes: [{ name: 'Invoices', when: { described_as: 'An invoice' }, then: {} }],
      confirm: true,
    }),
  'pipeline-agent/message-service.ts': async () => {
    const { body: source } = await v2('POST', '/sources', { name: 'All' } satisfies Partial<Source>);
    const { body: conversation } = await v2('POST', '/agent/conversations', { source_id: source.id });
    const message = { message: 'Make it searchable' };
    return await v2('POST', `/agent/conversations/${conversation.id}/messages`, message);
  },
  'schema-chat/choose-design-model.ts': async () => {
    const body = { mode: 'chat', messages: [{ role: 'user', content: 'A table of invoices' }], settings: {} };
    const design = async (documentId: string, excerpt: string) =>
      client.post('/api/schema-chat', {
        ...body,
        currentColumns: [],
        documentAnalyses: [{ documentId, documentName: `${excerpt}.txt`, excerpt }],
      });
    expect((await design(open, 'Contoso')).status).toBe(200);
    return await design(kept, marked);
  },
  'evaluations/work/measure-document.ts': async () => {
    const { prompt_id, prompt_revid } = await prompt();
    for (const id of [open, kept]) {
      if (id === kept) await client.patch(`./documents/${kept}`, { never_to_model: false });
      await client.post(`./documents/${id}/extractions`, { prompt_revid });
      await client.put(`./documents/${id}/extractions/${prompt_revid}/verification`, { is_verified: true });
    }
    await client.patch(`./documents/${kept}`, { never_to_model: true });
    requests.length = 0;
    const started = await client.post<Evaluation>('./evaluations', {
      prompt_id,
      content: 'Take the number of the invoice.',
    });
    const get = async () => (await client.get<Evaluation>(`./evaluations/${started.body.id}`)).body.state;
    expect(started.status, started.text).toBeLessThan(300);
    return await expect.poll(get, { timeout: 20_000 }).toBe('completed');
  },
};

it('each caller of the metered client is walked here', () => {
  const features = path.join(import.meta.dirname, '..');
  const callers = readdirSync(features, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /\bllmFor\((?:\{|caller)/u.test(readFileSync(path.join(features, file), 'utf8')))
    .map((file) => file.split(path.sep).join('/'));
  expect(callers.toSorted()).toEqual(Object.keys(paths).toSorted());
});

/** The document has a tag that keeps documents from models, and its record does not tell it yet. */
async function markByTagAlone(): Promise<void> {
  const { body: tag } = await client.post<Tag>('./tags', { name: 'secret' });
  await client.patch(`./documents/${kept}`, { never_to_model: false, tag_ids: [tag.tag_id] });
  const one = { _id: new mongoose.Types.ObjectId(tag.tag_id) };
  await app.connection.collection('tags').updateOne(one, { $set: { never_to_model: true } });
  const record = { _id: new mongoose.Types.ObjectId(kept) };
  await app.connection.collection('documents').updateOne(record, { $unset: { shown_despite: 1 } });
}

it.each(
  Object.entries(paths).flatMap(
    ([caller, walk]) =>
      [
        [caller, 'its own mark', walk],
        [caller, 'its tag alone', walk],
      ] as const,
  ),
)('%s sends no word of a document that no model may see, by %s', { timeout: 60_000 }, async (caller, by, walk) => {
  if (by === 'its tag alone') await markByTagAlone();
  await walk();
  // A request that would have shown it is refused; the next one leaves it out.
  if (by === 'its tag alone' && requests.length === 0) await walk();
  expect(JSON.stringify(requests)).not.toContain(marked);
  // The path was walked: another document, or the question, has reached the model. A chat about the kept one is refused.
  if (caller === 'chat/chat-service.ts') expect(requests).toEqual([]);
  else expect(requests.length).toBeGreaterThan(0);
});
