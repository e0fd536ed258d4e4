import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { LlmModel, LlmProvider, Prompt, TurnAnswer, Document } from '@docwright/contract';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { providerModel } from './provider-model.ts';

const token = 'sk-live-0123456789abcdefWXYZ';
const masked = 'sk-…WXYZ';
const publicUrl = 'https://models.example.com/v1';

/** A model server on loopback, allowed by the operator by name. */
let server: Server;
let url: string;
let requests: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
let answer: { status: number; body: string } = { status: 200, body: '' };
let harness: TestApp;
let log = '';

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, body });
      if (request.url === '/v1/models') response.end(JSON.stringify({ data: [{ id: 'm1' }, { id: 'embed-1' }] }));
      else response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://allowed.test:${port}/v1`;
  const lines = new Writable({
    write(chunk, _encoding, done) {
      log += String(chunk);
      done();
    },
  });
  harness = await startTestApp({
    settings: { LLM_ALLOWED_HOSTS: `allowed.test:${port}` },
    resolveHost: async (host) => [
      { address: host === 'models.example.com' ? '93.184.216.34' : '127.0.0.1', family: 4 },
    ],
    logger: pino({ level: 'trace' }, lines),
  });
});
afterAll(async () => {
  await harness.stop();
  server.close();
  server.closeAllConnections();
});
beforeEach(() => {
  requests = [];
  answer = {
    status: 200,
    body: JSON.stringify({
      choices: [{ message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1500, completion_tokens: 600 },
    }),
  };
});

const provider = (name: string) => `./llm/providers/${name}`;

async function documentOf({ admin }: TestApp): Promise<string> {
  const documents = [{ name: 'a.txt', content: Buffer.from('Total: 5').toString('base64') }];
  const { body } = await admin.post<{ documents: Document[] }>('./documents', { documents });
  return body.documents[0]!.id;
}

const chatBody = { messages: [{ role: 'user', content: 'Hello' }] };

describe('providers', () => {
  it('shows the configured endpoint as default, and keeps its address private', async () => {
    const { body } = await harness.admin.get<{ providers: LlmProvider[]; total_count: number }>('./llm/providers');
    expect(body).toMatchObject({ total_count: 1, skip: 0, limit: 10 });
    expect(body.providers[0]).toMatchObject({ name: 'default', enabled: true, litellm_models_enabled: ['no-model'] });
    for (const change of [{ base_url: publicUrl }, { token }, { enabled: false }, { kind: 'openai' }]) {
      const { status, error } = await harness.admin.put(provider('default'), change);
      expect([status, error?.code]).toEqual([400, 'provider_of_settings']);
    }
    const { body: renamed } = await harness.admin.put<LlmProvider>(provider('default'), { display_name: 'Ours' });
    expect(renamed).toMatchObject({ display_name: 'Ours', litellm_models_enabled: ['no-model'] });
  });

  it('creates and changes a provider, with its token shown masked and stored encrypted', async () => {
    const made = await harness.admin.put<LlmProvider>(provider('acme'), { base_url: publicUrl, token });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ name: 'acme', token: masked, kind: 'other', enabled: true });
    const sealed = async () => (await providerModel(harness.connection).findOne({ name: 'acme' }).lean())?.sealed_token;
    const first = await sealed();
    expect(first).not.toContain(token);

    const changed = await harness.admin.put<LlmProvider>(provider('acme'), {
      display_name: 'Acme',
      token: masked,
      litellm_models_enabled: ['claude-sonnet', 'claude-sonnet'],
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      display_name: 'Acme',
      token: masked,
      kind: 'anthropic',
      litellm_models_enabled: ['claude-sonnet'],
      litellm_models_chat_agent: ['claude-sonnet'],
    });
    expect(await sealed()).toBe(first);
    const wrong = await harness.admin.put(provider('acme'), { token: 'sk-…0000' });
    expect([wrong.status, wrong.error?.code]).toEqual([400, 'token_masked']);
    const list = await harness.admin.get('./llm/providers');
    expect(list.text).not.toContain(token);
    for (const none of [null, '']) {
      await harness.admin.put(provider('acme'), { token });
      expect((await harness.admin.put<LlmProvider>(provider('acme'), { token: none })).body.token).toBeNull();
    }
  });

  it('deletes a provider with its token, unless a prompt uses its models; default cannot be deleted', async () => {
    const models = { base_url: publicUrl, token, litellm_models_enabled: ['m7', 'm8'] };
    await harness.admin.put(provider('passing'), models);
    const prompts = await Promise.all(
      ['passing/m7', 'm8'].map((model, at) =>
        harness.admin.post<Prompt>('./prompts', { name: `User ${at}`, content: 'Total?', model }),
      ),
    );
    const refused = await harness.admin.delete(provider('passing'));
    expect([refused.status, refused.error?.code]).toEqual([400, 'provider_in_use']);
    for (const { body } of prompts) {
      expect(refused.error?.message).toContain(body.name);
      await harness.admin.delete(`./prompts/${body.prompt_id}`);
    }
    const member = await harness.addUser('member');
    expect((await member.delete(provider('passing'))).status).toBe(403);
    expect((await harness.admin.delete(provider('passing'))).status).toBe(204);
    expect(await providerModel(harness.connection).findOne({ name: 'passing' }).lean()).toBeNull();
    const { body: list } = await harness.admin.get<{ models: LlmModel[] }>('./llm/models');
    expect(list.models.filter(({ id }) => id.startsWith('passing/'))).toEqual([]);
    expect((await harness.admin.delete(provider('passing'))).error?.code).toBe('provider_not_found');
    const settings = await harness.admin.delete(provider('default'));
    expect([settings.status, settings.error?.code]).toEqual([400, 'provider_of_settings']);
  });

  it('sends a token only to the host it was given for', async () => {
    await harness.admin.put(provider('moving'), { base_url: publicUrl, token });
    const path = await harness.admin.put<LlmProvider>(provider('moving'), { base_url: `${publicUrl}/other` });
    expect(path.body.token).toBe(masked);
    const moved = await harness.admin.put<LlmProvider>(provider('moving'), { base_url: url });
    expect(moved.body.token).toBeNull();
    // Nor after a change directly in the database: the token is bound to its origin.
    await harness.admin.put(provider('moving'), { base_url: publicUrl, token, litellm_models_enabled: ['m9'] });
    await providerModel(harness.connection).updateOne({ name: 'moving' }, { $set: { base_url: url } });
    const chat = await harness.admin.post(`./documents/${await documentOf(harness)}/chat`, {
      ...chatBody,
      model: 'moving/m9',
    });
    expect([chat.status, chat.error?.code]).toEqual([502, 'provider_token_unreadable']);
    expect(requests).toEqual([]);
  });

  it('is changed only by admins, and invisible to other organizations', async () => {
    await harness.admin.put(provider('private'), { base_url: publicUrl });
    for (const role of ['member', 'viewer'] as const) {
      const user = await harness.addUser(role);
      expect((await user.get('./llm/providers')).status).toBe(200);
      expect((await user.put(provider('private'), { enabled: false })).status).toBe(403);
      expect((await user.post(`${provider('private')}/discover`)).status).toBe(403);
    }
    const stranger = await harness.addOrganization();
    const { body } = await stranger.get<{ providers: LlmProvider[] }>('./llm/providers');
    expect(body.providers.map(({ name }) => name)).toEqual(['default']);
    expect((await stranger.post(`${provider('private')}/discover`)).status).toBe(404);
    const path = `/v0/orgs/${harness.admin.organizationId}/llm/providers`;
    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.put(`${path}/private`, { enabled: false })).status).toBe(404);
  });

  it.each([
    ['a private address', { base_url: 'http://10.0.0.1/v1' }, 'base_url_refused'],
    ['loopback in one number', { base_url: 'http://2130706433/v1' }, 'base_url_refused'],
    ['a name that resolves to loopback', { base_url: 'http://rebound.example.com/v1' }, 'base_url_refused'],
    ['another port of an allowed host', { base_url: 'http://allowed.test:1/v1' }, 'base_url_refused'],
    ['no base_url', {}, 'base_url_required'],
    ['a token that no header can carry', { base_url: publicUrl, token: 'a b' }, 'token_malformed'],
  ])('refuses %s', async (_, body, code) => {
    const { status, error } = await harness.admin.put(provider('refused'), body);
    expect([status, error?.code]).toEqual([400, code]);
  });

  it('answers 404 for a malformed name', async () => {
    expect((await harness.admin.put(provider('No%20Name'), { base_url: publicUrl })).status).toBe(404);
  });
});

describe('models of a provider', () => {
  it('are discovered, enabled, used in chats and charged under the provider’s name', async () => {
    await harness.admin.put(provider('local'), { base_url: url, token });
    const found = await harness.admin.post<LlmProvider>(`${provider('local')}/discover`);
    expect(found.body).toMatchObject({ litellm_models_available: ['m1', 'embed-1'], litellm_models_enabled: [] });
    const chat = `./documents/${await documentOf(harness)}/chat`;
    const refused = await harness.admin.post(chat, { ...chatBody, model: 'local/m1' });
    expect([refused.status, refused.error?.code]).toEqual([400, 'model_not_enabled']);
    const prompt = { name: 'p', content: 'c', model: 'local/m1' };
    expect((await harness.admin.post<Prompt>('./prompts', prompt)).status).toBe(400);

    await harness.admin.put(provider('local'), { litellm_models_enabled: ['m1', 'embed-1'] });
    const { body } = await harness.admin.get<{ models: LlmModel[] }>('./llm/models?chat_only=true');
    expect(body.models).toContainEqual({ id: 'local/m1', provider: 'local', chat_agent: true, default: false });
    expect(body.models.map(({ id }) => id)).not.toContain('local/embed-1');
    expect((await harness.admin.post<Prompt>('./prompts', prompt)).status).toBe(201);
    const answered = await harness.admin.post<TurnAnswer>(chat, { ...chatBody, model: 'local/m1' });
    expect(answered.body).toMatchObject({ status: 'completed', text: 'Hello.' });
    const request = requests.at(-1)!;
    const bare = await harness.admin.post<TurnAnswer>(chat, { ...chatBody, model: 'm1' });
    expect(bare.body.status).toBe('completed');
    const notForChat = await harness.admin.post(chat, { ...chatBody, model: 'local/embed-1' });
    expect([notForChat.status, notForChat.error?.code]).toEqual([400, 'model_not_enabled']);
    expect(request.headers.authorization).toBe(`Bearer ${token}`);
    expect(JSON.parse(request.body)).toMatchObject({ model: 'm1' });
    const usage = await harness.admin.get<{ by_model: unknown[] }>('./usage');
    expect(usage.body.by_model).toContainEqual(expect.objectContaining({ model: 'local/m1', spu: 6, calls: 2 }));

    await harness.admin.put(provider('local'), { enabled: false });
    expect((await harness.admin.post(chat, { ...chatBody, model: 'local/m1' })).status).toBe(400);
    await harness.admin.put(provider('local'), { enabled: true });
  });

  it("report failures with model, provider and cure; the address goes to the log, and the provider's text nowhere", async () => {
    answer = { status: 401, body: JSON.stringify({ error: { message: `Bad key ${token} of tenant 7` } }) };
    const chat = `./documents/${await documentOf(harness)}/chat`;
    const { status, error, text } = await harness.admin.post(chat, { ...chatBody, model: 'local/m1' });
    expect([status, error?.code]).toEqual([502, 'model_refused']);
    expect(error?.message).toContain('The model "m1" of the provider "local"');
    const headers = { authorization: `Bearer ${harness.admin.accessToken}`, 'content-type': 'application/json' };
    const streamed = await fetch(`${harness.address}/v0/orgs/${harness.admin.organizationId}/${chat.slice(2)}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...chatBody, model: 'local/m1', stream: true }),
    }).then((response) => response.text());
    expect(streamed).toMatch(/"type":"error","code":"model_refused"/);
    for (const shown of [text, streamed]) expect(shown).not.toMatch(/LLM_|allowed\.test|tenant/);
    expect(log.match(/a model call failed/g)).toHaveLength(2);
    expect(log).toContain(`${url} answered with an error (401)`);
    expect(log).not.toContain('of tenant 7');
  });

  it('are not requested from an address that has become private', async () => {
    await harness.admin.put(provider('rebound'), { base_url: publicUrl, litellm_models_enabled: ['m1'] });
    const { port } = server.address() as AddressInfo;
    const base_url = `http://rebound.example.com:${port}/v1`;
    await providerModel(harness.connection).updateOne({ name: 'rebound' }, { $set: { base_url } });
    const chat = `./documents/${await documentOf(harness)}/chat`;
    const { status, error } = await harness.admin.post(chat, { ...chatBody, model: 'rebound/m1' });
    expect([status, error?.code]).toEqual([502, 'address_refused']);
    const discovered = await harness.admin.post(`${provider('rebound')}/discover`);
    expect([discovered.status, discovered.error?.code]).toEqual([502, 'address_refused']);
    expect(error?.message).not.toContain('rebound.example.com');
    expect(log).toContain('rebound.example.com is a private address');
    expect(requests).toEqual([]);
  });
});

it('no token is in the log', () => {
  expect(log).toContain('llm/providers');
  expect(log).not.toContain(token);
  expect(log).not.toContain('0123456789abcdef');
});
