import type { AccessToken, createdAccessToken, Me, Membership } from '@docwright/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';
import type { TestClient } from '../../../testing/test-client.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => {
  await harness.stop();
});

const make = async (client: TestClient, body: object = {}) => {
  const path = './access_tokens';
  return await client.post<z.infer<typeof createdAccessToken>>(path, { name: 'robot', lifetime_days: 0, ...body });
};
const use = async (token: string, url: string, method: 'GET' | 'POST' = 'GET', payload?: object) =>
  await harness.app.inject({ method, url, headers: { 'x-api-key': token }, ...(payload ? { payload } : {}) });
const tokenRecords = () => harness.connection.collection('access_tokens');

test('a token signs in as Bearer or X-Api-Key, is shown once, and is stored only as a keyed hash', async () => {
  const { status, body } = await make(harness.admin);
  expect(status).toBe(201);
  expect(body.expires_at).toBeNull();
  expect((await use(body.token, '/v0/me')).statusCode).toBe(200);
  const bearer = { authorization: `Bearer ${body.token}` };
  expect((await harness.app.inject({ url: '/v0/me', headers: bearer })).statusCode).toBe(200);

  const listed = await harness.admin.get('./access_tokens');
  expect(listed.text).not.toContain(body.token);
  expect(JSON.stringify(await tokenRecords().find().toArray())).not.toContain(body.token.slice(12));
});

test('a token reaches only its organization, with at most its role', async () => {
  const own = await harness.addOrganization();
  const other = await own.post<Membership>('/v0/orgs', { name: 'Other' });
  const { body } = await make(own, { role: 'viewer' });
  const me = (await use(body.token, '/v0/me')).json<Me>();
  expect(me.organizations).toMatchObject([{ id: own.organizationId, role: 'viewer' }]);
  expect((await use(body.token, `/v0/orgs/${other.body.id}`)).statusCode).toBe(404);
  const invite = { email: 'x@example.com', role: 'viewer' };
  expect((await use(body.token, `/v0/orgs/${own.organizationId}/members`, 'POST', invite)).statusCode).toBe(403);
  expect((await use(body.token, '/v0/orgs', 'POST', { name: 'Third' })).statusCode).toBe(403);
});

test("a token's rights shrink with the role of its creator and end with their membership", async () => {
  const member = await harness.addUser('member');
  const { body } = await make(member);
  const path = `/v0/orgs/${member.organizationId}`;
  await harness.admin.patch(`./members/${member.userId}`, { role: 'viewer' });
  expect((await use(body.token, path)).json<Membership>().role).toBe('viewer');
  await harness.admin.delete(`./members/${member.userId}`);
  expect((await use(body.token, path)).statusCode).toBe(401);
});

test('nobody creates a token above their role, viewers and tokens create none', async () => {
  const member = await harness.addUser('member');
  expect((await make(member, { role: 'admin' })).error?.code).toBe('role_above_own');
  expect((await make(await harness.addUser('viewer'))).status).toBe(403);
  const { body } = await make(member);
  const again = { name: 'child', lifetime_days: 0 };
  const child = await use(body.token, `/v0/orgs/${member.organizationId}/access_tokens`, 'POST', again);
  expect(child.statusCode).toBe(403);
});

test('a token expires after its lifetime', async () => {
  const { body } = await make(harness.admin, { lifetime_days: 1 });
  expect(Date.parse(body.expires_at ?? '') - Date.now()).toBeGreaterThan(86_000_000);
  expect((await use(body.token, '/v0/me')).statusCode).toBe(200);
  await tokenRecords().updateMany({ prefix: body.prefix }, { $set: { expires_at: new Date(Date.now() - 1) } });
  expect((await use(body.token, '/v0/me')).statusCode).toBe(401);
});

test('admins see and revoke all tokens, others their own', async () => {
  const member = await harness.addUser('member');
  const mine = await make(member);
  const theirs = await make(harness.admin);
  const listed = await member.get<{ access_tokens: AccessToken[]; total_count: number }>('./access_tokens');
  expect(listed.body.access_tokens.map((token) => token.id)).toEqual([mine.body.id]);
  expect((await member.delete(`./access_tokens/${theirs.body.id}`)).status).toBe(404);
  expect((await harness.admin.delete(`./access_tokens/${mine.body.id}`)).status).toBe(204);
  expect((await use(mine.body.token, '/v0/me')).statusCode).toBe(401);
});
