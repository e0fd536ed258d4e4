import { fastifyCookie } from '@fastify/cookie';
import { fastifyJwt } from '@fastify/jwt';
import type { createdAccessToken, ErrorBody, Membership } from '@docwright/contract';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import type { Actor } from '../rights/actor.ts';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import type { TestClient } from '../../../testing/test-client.ts';
import { authentication } from './authentication.ts';
import { errorHandler } from '../../../platform/http/error-handler.ts';

let harness: TestApp;
let app: FastifyInstance;
let user: TestClient;
let later: string;
beforeAll(async () => {
  harness = await startTestApp();
  user = await harness.addUser('viewer');
  later = (await user.post<Membership>('/v0/orgs', { name: 'Later' })).body.id;
  app = fastify();
  await app.register(errorHandler);
  await app.register(fastifyCookie);
  await app.register(fastifyJwt, { secret: 'not used: sessions are read by the service' });
  await app.register(authentication, { authenticationService: harness.services.identity.authentication });
  app.get('/api/actor', async (request) => request.actor);
  app.get('/api/open', { config: { public: true } }, async () => 'open');
  app.get('/v0/principal', async (request) => request.principal.userId);
  app.post('/v0/orgs/:org_id/actor', async (request) => request.actor);
});
afterAll(async () => {
  await app.close();
  await harness.stop();
});

async function actor(headers: Record<string, string>) {
  const signedIn = { authorization: `Bearer ${user.accessToken}`, ...headers };
  const answer = await app.inject({ url: '/api/actor', headers: signedIn });
  return { status: answer.statusCode, ...answer.json<Actor & ErrorBody>() };
}

test('a route without an organization in its path acts in the oldest membership', async () => {
  expect(await actor({})).toMatchObject({ organizationId: harness.admin.organizationId, role: 'viewer' });
});

test('X-Org-Id names another organization of the caller, with the role held there', async () => {
  expect(await actor({ 'x-org-id': later })).toMatchObject({ organizationId: later, role: 'admin' });
});

test.each([
  ['of another user', '0123456789abcdef01234567'],
  ['that is malformed', 'mine'],
  ['that is empty', ''],
])('X-Org-Id %s is 404', async (_what, id) => {
  expect((await actor({ 'x-org-id': id })).status).toBe(404);
});

test.each([
  ['of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 'is foreign or missing'],
  ['without an origin', { 'sec-fetch-site': 'same-origin' }, 'is foreign or missing'],
  [
    'of its own page behind a proxy that replaces Host',
    { origin: 'https://docs.example', 'sec-fetch-site': 'same-origin', host: '127.0.0.1:3000' },
    'The browser calls it https://docs.example, but the server received the Host header “127.0.0.1:3000”: a proxy in front of it must pass on Host',
  ],
])('a write with the cookie %s is refused with the cause', async (_what, headers, cause) => {
  const cookies = { docwright_session: user.accessToken };
  const url = `/v0/orgs/${harness.admin.organizationId}/actor`;
  const answer = await app.inject({ method: 'POST', url, headers, cookies });
  const { error } = answer.json<ErrorBody>();
  expect([answer.statusCode, error.code]).toEqual([403, 'cross_origin_write']);
  expect(error.message).toContain(cause);
});

test('a route of no organization ignores X-Org-Id', async () => {
  const headers = { authorization: `Bearer ${user.accessToken}`, 'x-org-id': 'mine' };
  expect((await app.inject({ url: '/v0/principal', headers })).body).toBe(user.userId);
});

test('an access token acts only in its own organization, whatever the oldest membership is', async () => {
  const made = await user.post<z.infer<typeof createdAccessToken>>(`/v0/orgs/${later}/access_tokens`, {
    name: 'robot',
    lifetime_days: 1,
    role: 'member',
  });
  const authorization = `Bearer ${made.body.token}`;
  expect(await actor({ authorization })).toMatchObject({ organizationId: later, role: 'member' });
  expect((await actor({ authorization, 'x-org-id': harness.admin.organizationId })).status).toBe(404);
});

test('the caller is authenticated before the body is read', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: `/v0/orgs/${later}/actor`,
    payload: '{"malformed',
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.statusCode).toBe(401);
  expect((await app.inject({ url: '/api/open' })).body).toBe('open');
});
