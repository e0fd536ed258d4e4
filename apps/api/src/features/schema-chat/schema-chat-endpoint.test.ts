import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { LlmClient } from '@docwright/agent-core';
import { scriptedLlm } from '@docwright/agent-core/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { sendChat } from '../../testing/schema-chat-requests.ts';

const apiKey = 'sk-mine-0123456789abcdefWXYZ';
const storedToken = 'sk-theirs-0123456789abcdef';

/** A model server on loopback with several host names; the operator allows some of them. */
let server: Server;
let port: number;
let requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
let status = 200;
let harness: TestApp;
let log = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      const message = { role: 'assistant', content: 'From the endpoint.' };
      const answer = {
        choices: [{ message, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1500, completion_tokens: 1 },
      };
      const error = { error: { message: `The key ${apiKey} is wrong.` } };
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(status === 200 ? answer : error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
  const lines = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  const llm: LlmClient = { stream: (request) => scriptedLlm([{ text: `I am ${request.model}.` }]).stream(request) };
  harness = await startTestApp({
    llm,
    settings: { LLM_ALLOWED_HOSTS: `allowed.test:${port},provider.test:${port}` },
    resolveHost: async () => [{ address: '127.0.0.1', family: 4 }],
    logger: pino({ level: 'trace' }, lines),
  });
  const provider = { base_url: `http://provider.test:${port}/v1`, token: storedToken, litellm_models_enabled: ['m1'] };
  await harness.admin.put('./llm/providers/ours', { ...provider, enabled: true });
  await harness.admin.put('./llm/providers/off', {
    ...provider,
    base_url: `http://allowed.test:${port}/v1`,
    enabled: false,
  });
});
afterAll(async () => {
  await harness.stop();
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  requests = [];
  status = 200;
});

const at = (endpoint: string, over: object = {}) =>
  sendChat(harness.admin, 'Hello', { settings: { modelName: 'm1', apiKey, endpoint, ...over } });

it.each([
  ['a host that is listed', 'http://allowed.test:PORT/v1/chat/completions', 'm1'],
  ['a provider of the organization', 'http://provider.test:PORT/v1', 'm1'],
])('asks %s with the key of the request, and charges it', async (_what, endpoint, model) => {
  const used = async () => (await harness.admin.get<{ spu_used: number }>('./usage')).body.spu_used;
  const before = await used();
  const { status: answered, body } = await at(endpoint.replace('PORT', String(port)));
  expect([answered, body.assistantMessage]).toEqual([200, 'From the endpoint.']);
  expect(requests).toHaveLength(1);
  expect(requests[0]).toMatchObject({ path: '/v1/chat/completions', headers: { authorization: `Bearer ${apiKey}` } });
  expect(JSON.parse(requests[0]!.body)).toMatchObject({ model, tools: expect.any(Array) });
  expect(await used()).toBe(before + 2);
});

it('uses the stored key of a provider only with its enabled models', async () => {
  const endpoint = `http://provider.test:${port}/v1`;
  expect((await at(endpoint, { apiKey: undefined })).body.assistantMessage).toBe('From the endpoint.');
  expect(requests[0]?.headers.authorization).toBe(`Bearer ${storedToken}`);
  const refused = await at(endpoint, { apiKey: undefined, modelName: 'm2' });
  expect([refused.status, refused.error?.code]).toEqual([400, 'model_not_enabled']);
  expect(requests).toHaveLength(1);
});

it('asks the organization’s model without an endpoint, or with the operator’s own', async () => {
  for (const endpoint of ['', 'http://127.0.0.1:9/v1/chat/completions']) {
    const { body } = await at(endpoint, { apiKey: undefined, modelName: '' });
    expect(body.assistantMessage).toBe('I am no-model.');
  }
});

it.each([
  'http://127.0.0.1:PORT/v1',
  'http://localhost:PORT/v1',
  'http://169.254.169.254/latest',
  'http://[::1]:PORT/v1',
  'http://allowed.test:1/v1',
  'http://elsewhere.test:PORT/v1',
  'https://api.openai.com/v1/chat/completions',
  'http://allowed.test@127.0.0.1:PORT/v1',
  'http://user:secret@allowed.test:PORT/v1',
  'http://allowed.test:PORT/v1?to=elsewhere',
  'file:///etc/passwd',
  'no address',
])('rejects the endpoint %s without a request to it', async (endpoint) => {
  const answer = await at(endpoint.replace('PORT', String(port)));
  expect([answer.status, answer.error?.code]).toEqual([400, 'endpoint_refused']);
  expect(requests).toEqual([]);
});

it('rejects the provider of another organization', async () => {
  const stranger = await harness.addOrganization();
  await harness.admin.put('./llm/providers/public', { base_url: 'https://models.example.com/v1', enabled: true });
  const settings = { modelName: 'm1', endpoint: 'https://models.example.com/v1' };
  expect((await sendChat(stranger, 'Hello', { settings })).error?.code).toBe('endpoint_refused');
});

it('requires a model for an endpoint', async () => {
  expect((await at(`http://allowed.test:${port}/v1`, { modelName: '' })).error?.code).toBe('model_required');
});

it('sends the key only to the endpoint', async () => {
  status = 401;
  const answer = await at(`http://allowed.test:${port}/v1`);
  expect(answer.status).toBe(502);
  expect(answer.text).not.toContain(apiKey);
  expect(log).toContain('/api/schema-chat');
  expect(log).not.toContain(apiKey);
});
