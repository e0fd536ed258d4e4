import type { AuditEntry, createdAccessToken, Session, TurnAnswer } from '@docwright/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';
import {
  decideAll,
  userMessage,
  startChatTestBench,
  type ChatTestBench,
} from '../../apps/api/src/testing/chat-test-bench.ts';
import { testPassword } from '../../apps/api/src/testing/test-app.ts';
import type { TestClient } from '../../apps/api/src/testing/test-client.ts';

let bench: ChatTestBench;
beforeAll(async () => {
  bench = await startChatTestBench();
});
afterEach(() => vi.useRealTimers());
afterAll(async () => bench.stop());

async function tokenOf(person: TestClient, body: object) {
  const made = await person.post<z.infer<typeof createdAccessToken>>('./access_tokens', {
    name: 'robot',
    lifetime_days: 1,
    ...body,
  });
  expect(made.status).toBe(201);
  return made.body;
}
const use = async (token: string, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  bench.app.inject({
    method,
    url: url.replace(/^\.\//, `/v0/orgs/${bench.admin.organizationId}/`),
    headers: { 'x-api-key': token },
    ...(payload && { payload }),
  });
const login = (email: string, password: string, address = '127.0.0.1') =>
  bench.app.inject({ method: 'POST', url: '/v0/auth/login', payload: { email, password }, remoteAddress: address });

describe('an access token', () => {
  it('for MCP can propose, but not approve, set rules, approve in advance or write; the audit log names it', async () => {
    const { token, id, scopes } = await tokenOf(bench.admin, { purpose: 'mcp' });
    expect(scopes).toEqual(['read', 'propose']);
    const { chat } = await bench.documentOf(bench.admin);
    bench.script({ calls: [{ name: 'create_tag', args: { name: 'proposed' } }] }, { text: 'Done.' });
    const answer = (await use(token, 'POST', chat, userMessage('Go on'))).json<TurnAnswer>();
    expect(answer.status).toBe('awaiting_approval');
    const rule = { tool: '*', effect: 'allow', scope: 'organization' };
    const attempts = [
      await use(token, 'POST', `${chat}/approve`, decideAll(answer, true)),
      await use(token, 'POST', './permission_rules', rule),
      await use(token, 'POST', chat, { ...userMessage('Hi'), stream: true, auto_approve: true }),
      await use(token, 'POST', chat, { ...userMessage('Hi'), auto_approved_tools: ['create_tag'] }),
      await use(token, 'POST', './tags', { name: 'direct' }),
      await use(token, 'POST', './members', { email: 'x@example.com', role: 'viewer' }),
    ];
    for (const { statusCode, body } of attempts) {
      expect(statusCode).toBe(403);
      expect(body).toContain('scope_missing');
    }
    expect((await bench.admin.get('./tags')).body).toMatchObject({ total_count: 0 });
    const audit = await bench.admin.get<{ entries: AuditEntry[] }>(`./audit?turn_id=${answer.turn_id}`);
    expect(audit.body.entries[0]).toMatchObject({ kind: 'proposed', token: { id, name: 'robot' } });
    const decided = await bench.admin.post<TurnAnswer>(`${chat}/approve`, decideAll(answer, true));
    expect(decided.body.status).toBe('completed');
  });

  it('with the scope read can only read, and one without named scopes can do everything', async () => {
    const reading = await tokenOf(bench.admin, { scopes: ['read'] });
    const { chat } = await bench.documentOf(bench.admin);
    expect((await use(reading.token, 'GET', './documents')).statusCode).toBe(200);
    expect((await use(reading.token, 'POST', chat, userMessage('Hi'))).statusCode).toBe(403);
    const whole = await tokenOf(bench.admin, {});
    expect((await use(whole.token, 'POST', './tags', { name: 'by-a-program' })).statusCode).toBe(201);
  });
});

describe('a leaked password or session', () => {
  it('ends when the password is changed, except the session that changed it', async () => {
    const person = await bench.addUser('member');
    const other = (await login(person.email, testPassword)).json<{ access_token: string }>().access_token;
    const change = (current_password: string, new_password: string) =>
      person.put('/v0/auth/password', { current_password, new_password });
    expect((await change('not the password', 'a new one with words')).error?.code).toBe('wrong_password');
    expect((await change(testPassword, 'a new one with words')).status).toBe(204);
    expect((await person.get('/v0/me')).status).toBe(200);
    const me = { url: '/v0/me', headers: { authorization: `Bearer ${other}` } };
    expect((await bench.app.inject(me)).statusCode).toBe(401);
    expect((await login(person.email, testPassword)).statusCode).toBe(401);
    expect((await login(person.email, 'a new one with words')).statusCode).toBe(200);
  });

  it('is listed, and can be ended alone, with all others, or by an admin', async () => {
    const person = await bench.addUser('member');
    await login(person.email, testPassword);
    const list = async () => (await person.get<{ sessions: Session[] }>('/v0/auth/sessions')).body.sessions;
    const [second, first] = await list();
    expect([second?.is_current, first?.is_current]).toEqual([false, true]);
    expect((await bench.admin.delete(`/v0/auth/sessions/${second?.id}`)).status).toBe(404);
    expect((await person.delete(`/v0/auth/sessions/${second?.id}`)).status).toBe(204);
    expect(await list()).toHaveLength(1);

    const { token } = await tokenOf(person, {});
    expect((await person.delete('/v0/auth/sessions?keep_current=true&access_tokens=true')).status).toBe(204);
    expect((await use(token, 'GET', './documents')).statusCode).toBe(401);
    expect((await person.get('/v0/me')).status).toBe(200);
    expect((await person.delete(`./members/${bench.admin.userId}/sessions`)).status).toBe(403);
    expect((await bench.admin.delete(`./members/${person.userId}/sessions`)).status).toBe(204);
    expect((await person.get('/v0/me')).status).toBe(401);
  });
});

describe('guessing', () => {
  // Attempts are counted by minute of the wall clock: all attempts of a test are then in the same one.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));

  it('is counted before a password is verified, also for concurrent attempts', async () => {
    const person = await bench.addUser('member');
    const answers = await Promise.all(Array.from({ length: 16 }, async () => login(person.email, 'wrong')));
    expect(answers.filter(({ statusCode }) => statusCode === 401).length).toBeLessThanOrEqual(10);
    expect((await login(person.email, testPassword, '10.0.0.2')).statusCode).toBe(200);
  });

  it('is counted over all addresses', async () => {
    const person = await bench.addUser('member');
    const hash = bench.connection.collection<{ _id: string; count: number }>('sign_in_attempts');
    await login(person.email, 'wrong', '10.0.1.1');
    // Simulates failed attempts of other addresses within 15 minutes.
    await hash.updateMany({ _id: /\/900000\// }, { $set: { count: 50 } });
    expect((await login(person.email, testPassword, '10.0.1.2')).statusCode).toBe(429);
  });

  it.each(['passwordpassword', 'aaaaaaaaaaaa', '123456789012', 'qwertyuiopas', '1qaz2wsx3edc'])(
    'the password %s is not taken in the first place',
    async (password) => {
      const payload = { email: 'new@example.com', name: 'New', password };
      const answer = await bench.app.inject({ method: 'POST', url: '/v0/auth/register', payload });
      expect(answer.statusCode).toBe(422);
      expect(answer.body).toContain('password_too_common');
    },
  );
});

it.each([
  [{ 'x-forwarded-proto': 'https, http' }, true],
  [{ forwarded: 'for=1.2.3.4;proto=https, for=10.0.0.1;proto=http' }, true],
  [{ 'x-forwarded-proto': 'http, https' }, false],
])('behind a chain of proxies (%o) the cookie is secure: %s', async (headers, secure) => {
  const payload = { email: bench.admin.email, password: testPassword };
  const answer = await bench.app.inject({ method: 'POST', url: '/v0/auth/login', payload, headers });
  expect(answer.cookies[0]?.['secure'] ?? false).toBe(secure);
});

it('an upload of a viewer is refused before its body is read', async () => {
  const viewer = await bench.addUser('viewer');
  const { port, hostname } = new URL(bench.address);
  const { connect } = await import('node:net');
  const socket = connect(Number(port), hostname);
  const head = `POST /v0/orgs/${viewer.organizationId}/documents HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${viewer.accessToken}\r\ncontent-type: application/json\r\ncontent-length: 40000000\r\n\r\n{`;
  socket.write(head);
  const answer = await new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
  expect(answer).toMatch(/^HTTP\/1.1 403/);
  socket.destroy();
});
