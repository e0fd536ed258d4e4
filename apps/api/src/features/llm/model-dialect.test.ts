import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Document, LlmModel, LlmProvider, Thread, TurnAnswer } from '@docwright/contract';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

/** A model server that refuses what it is told to, as servers of small models do. */
let server: Server;
let harness: TestApp;
let sent: Record<string, unknown>[] = [];
let refuses: [name: string, message: string][] = [];
let documentId: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      const asked = JSON.parse(body) as Record<string, unknown>;
      sent.push(asked);
      const refused = refuses.find(([name]) => name in asked);
      const message = { role: 'assistant', content: 'Hello.' };
      const answer = refused ? { error: { message: refused[1] } } : { choices: [{ message, finish_reason: 'stop' }] };
      response.writeHead(refused ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  harness = await startTestApp({
    settings: { LLM_ALLOWED_HOSTS: `allowed.test:${port}` },
    resolveHost: async (host) => [{ address: host === 'allowed.test' ? '127.0.0.1' : '93.184.216.34', family: 4 }],
  });
  await harness.admin.put('./llm/providers/small', {
    base_url: `http://allowed.test:${port}/v1`,
    litellm_models_enabled: ['gemma-3.1'],
    reasoning: { 'gemma-3.1': 'medium' },
  });
  const documents = [{ name: 'a.txt', content: Buffer.from('Total: 5').toString('base64') }];
  const { body } = await harness.admin.post<{ documents: Document[] }>('./documents', { documents });
  documentId = body.documents[0]!.id;
});
afterAll(async () => {
  await harness.stop();
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  sent = [];
  refuses = [];
});

async function chat(over: Record<string, unknown> = {}): Promise<TurnAnswer> {
  const body = { messages: [{ role: 'user', content: 'Hello' }], model: 'small/gemma-3.1', ...over };
  const answer = await harness.admin.post<TurnAnswer>(`./documents/${documentId}/chat`, body);
  expect(answer.status).toBe(200);
  return answer.body;
}
const provider = async () =>
  (await harness.admin.get<{ providers: LlmProvider[] }>('./llm/providers')).body.providers.find(
    ({ name }) => name === 'small',
  )!;
const efforts = () => sent.map((each) => each['reasoning_effort']);

it('lets a model think as its setting says, or as the conversation says from then on', async () => {
  const { models } = (await harness.admin.get<{ models: LlmModel[] }>('./llm/models')).body;
  expect(models.find(({ id }) => id === 'small/gemma-3.1')?.reasoning).toBe('medium');
  const { thread_id } = await chat();
  await chat({ thread_id, reasoning: 'high' });
  await chat({ thread_id });
  const thread = async () =>
    (await harness.admin.get<Thread>(`./documents/${documentId}/chat/threads/${thread_id}`)).body;
  expect((await thread()).reasoning).toBe('high');
  await chat({ thread_id, reasoning: null });
  expect((await thread()).reasoning).toBeUndefined();
  expect(efforts()).toEqual(['medium', 'high', 'high', 'medium']);
  const { status } = await harness.admin.post(`./documents/${documentId}/chat`, {
    messages: [{ role: 'user', content: 'Hello' }],
    reasoning: 'very much',
  });
  expect(status).toBe(422);
});

it('remembers what an endpoint refuses, shows it with its words, and forgets it on request', async () => {
  refuses = [
    ['tools', 'gemma-3.1 does not support tools'],
    ['reasoning_effort', 'Unknown parameter: reasoning_effort'],
  ];
  await chat();
  await vi.waitFor(async () => expect((await provider()).dialect).toHaveLength(2));
  expect((await provider()).dialect).toMatchObject([
    { model: 'gemma-3.1', refused: 'tools', reason: 'gemma-3.1 does not support tools' },
    { model: 'gemma-3.1', refused: 'reasoning_effort', reason: 'Unknown parameter: reasoning_effort' },
  ]);
  expect(sent).toHaveLength(3);
  await chat();
  expect(sent).toHaveLength(4);
  expect(sent[3]).not.toHaveProperty('tools');

  // A client that sends back what it read changes nothing, and can add nothing.
  const { dialect } = await provider();
  const stranger = { model: 'gemma-3.1', refused: 'stream_options' as const };
  await harness.admin.put('./llm/providers/small', { dialect: [...dialect, stranger] });
  expect((await provider()).dialect).toEqual(dialect);
  await harness.admin.put('./llm/providers/small', { dialect: dialect.slice(1) });
  refuses = [];
  await chat();
  expect([sent[4]?.['tools'] !== undefined, sent[4]?.['reasoning_effort']]).toEqual([true, undefined]);
  await harness.admin.put('./llm/providers/small', { base_url: 'https://models.example.com/v1' });
  expect((await provider()).dialect).toEqual([]);
});
