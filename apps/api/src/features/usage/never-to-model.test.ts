import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LlmRequest } from '@docwright/agent-core';
import { scriptedLlm, type ScriptedStep } from '@docwright/agent-core/testing';
import type { Document, Prompt, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import type { TestClient } from '../../testing/test-client.ts';

const secret = 'Zaubernuss';
let app: TestApp;
let client: TestClient;
let steps: ScriptedStep[] = [];
const requests: LlmRequest[] = [];

beforeAll(async () => {
  app = await startTestApp({
    settings: { LLM_BASE_URL: 'http://127.0.0.1:9/v1', LLM_MODEL: 'no-model' },
    llm: {
      async *stream(request) {
        requests.push(request);
        yield* scriptedLlm([steps.shift() ?? { text: 'Done.' }]).stream(request);
      },
    },
  });
});
afterAll(() => app.stop());
beforeEach(async () => {
  client = await app.addOrganization();
  requests.length = 0;
  steps = [];
});

async function upload(name: string, text: string): Promise<string> {
  const documents = [{ name, content: Buffer.from(text).toString('base64') }];
  const { body } = await client.post<{ documents: Document[] }>('./documents', { documents });
  await app.services.documents.textReading.readAll(new AbortController().signal);
  return body.documents[0]!.id;
}
async function kept(): Promise<string> {
  const id = await upload(`${secret}.txt`, `The word is ${secret}`);
  const { body } = await client.patch<Document>(`./documents/${id}`, { never_to_model: true });
  expect(body.never_to_model).toBe(true);
  return id;
}
const say = (content: string) => ({ messages: [{ role: 'user', content }] });
const sent = () => JSON.stringify(requests);

it('refuses a chat about it and an extraction of it before anything is sent or stored', async () => {
  const id = await kept();
  const { body: prompt } = await client.post<Prompt>('./prompts', { name: 'p', content: 'Read.' });
  const chat = await client.post(`./documents/${id}/chat`, say('What does it say?'));
  expect([chat.status, chat.error?.code]).toEqual([409, 'never_to_model']);
  const run = await client.post(`./documents/${id}/extractions`, { prompt_revid: prompt.prompt_revid });
  expect([run.status, run.error?.code]).toEqual([409, 'never_to_model']);
  expect((await client.get<Document>(`./documents/${id}`)).body.state).toBe('ocr_completed');
  expect(requests).toEqual([]);
});

it('shows nothing of it to a conversation about another document, whatever tool is called', async () => {
  const id = await kept();
  const other = await upload('note.txt', 'Total: 5');
  const calls = [
    { name: 'describe_tools', args: { names: ['list_documents'] } },
    { name: 'list_documents', args: { limit: 100 } },
    { name: 'get_ocr_text', args: { document_id: id } },
    { name: 'search_document', args: { document_id: id, query: 'word' } },
    { name: 'get_extraction_result', args: { document_id: id } },
    { name: 'view_page', args: { document_id: id, page_num: 1 } },
  ];
  steps = [...calls.map((call) => ({ calls: [call] })), { text: 'I see nothing.' }];
  const { status } = await client.post<TurnAnswer>(`./documents/${other}/chat`, say('Read everything.'));
  expect(status).toBe(200);
  expect(requests.length).toBeGreaterThan(1);
  expect(sent()).not.toContain(secret);
});

it('shows nothing of it to a conversation about no document', async () => {
  await kept();
  steps = [{ calls: [{ name: 'list_documents', args: { limit: 100 } }] }, { text: 'Nothing.' }];
  await client.post(`/api/v1/agent/${client.userId}/chat`, { message: 'List my documents', conversation_id: null });
  expect(sent()).not.toContain(secret);
});

it('is no example for another document', async () => {
  const id = await upload(`${secret}.txt`, `The word is ${secret}`);
  const other = await upload('note.txt', 'The word is Hello');
  const { body: prompt } = await client.post<Prompt>('./prompts', {
    name: 'p',
    content: 'Read the word.',
    examples: { count: 3 },
  });
  const extract = (documentId: string) =>
    client.post(`./documents/${documentId}/extractions`, { prompt_revid: prompt.prompt_revid });
  steps = [{ text: JSON.stringify({ word: secret }) }];
  expect((await extract(id)).status).toBeLessThan(300);
  await client.put(`./documents/${id}/extractions/${prompt.prompt_revid}/verification`, { is_verified: true });
  await client.patch(`./documents/${id}`, { never_to_model: true });
  requests.length = 0;
  steps = [{ text: JSON.stringify({ word: 'Hello' }) }];
  await extract(other);
  expect(requests.length).toBeGreaterThan(0);
  expect(sent()).not.toContain(secret);
});

it('the last gate refuses a request that names it in any message, whatever the caller left out', async () => {
  const id = await kept();
  const { llmFor } = app.services as unknown as {
    llmFor: (caller: object) => { stream(r: LlmRequest): AsyncIterable<unknown> };
  };
  const llm = llmFor({ organizationId: client.organizationId, userId: client.userId });
  const ask = async (request: Partial<LlmRequest>) => {
    for await (const _ of llm.stream({ model: 'no-model', messages: [], ...request })) void _;
  };
  const refused = { code: 'never_to_model' };
  await expect(
    ask({ messages: [{ role: 'user', content: `{"document_id":"${id}","text":"…"}` }] }),
  ).rejects.toMatchObject(refused);
  await expect(ask({ documents: [id] })).rejects.toMatchObject(refused);
  const call = { id: 'c', name: 'get_ocr_text', arguments: JSON.stringify({ document_id: id.toUpperCase() }) };
  await expect(ask({ messages: [{ role: 'assistant', content: '', toolCalls: [call] }] })).rejects.toMatchObject(
    refused,
  );
  expect(requests).toEqual([]);
});

it('an endpoint that an admin marked as local may see it; only an admin clears the mark of the document', async () => {
  const id = await kept();
  const member = await app.addUser('member', client.organizationId);
  expect((await member.patch(`./documents/${id}`, { never_to_model: false })).error?.code).toBe('admin_required');
  await client.put('./llm/providers/default', { is_local: true });
  expect((await client.post(`./documents/${id}/chat`, say('Hello'))).status).toBe(200);
  await client.put('./llm/providers/default', { is_local: false });
  expect((await client.post(`./documents/${id}/chat`, say('Hello'))).status).toBe(409);
  expect((await client.patch<Document>(`./documents/${id}`, { never_to_model: false })).body.never_to_model).toBe(
    false,
  );
  expect((await client.post(`./documents/${id}/chat`, say('Hello'))).status).toBe(200);
});

it('no feature makes a client of a model but the two that pass every call through the meter', () => {
  const features = path.join(import.meta.dirname, '..');
  const makers = readdirSync(features, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /createOpenAi(?:Llm|Embedding)Client\(/u.test(readFileSync(path.join(features, file), 'utf8')));
  expect(makers.toSorted()).toEqual([
    path.join('collections', 'pipeline-services.ts'),
    path.join('llm', 'llm-services.ts'),
    path.join('llm', 'model-router.ts'),
    path.join('llm', 'named-endpoint.ts'),
  ]);
});
