import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../../testing/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => {
  await harness.stop();
});

test.each([
  ['GET', './documents?tag_ids[$ne]=1', 'tag_ids[$ne]'],
  ['GET', './documents?tag_id=6b01708ad8a483d59a2b3b5a', 'tag_id'],
  ['GET', './documents?limit=1&__proto__=1', '__proto__'],
  ['GET', './tags?name%5B%24regex%5D=.*', 'name[$regex]'],
  ['DELETE', './tags/6b01708ad8a483d59a2b3b5a?force=true', 'force'],
  ['GET', '/v0/me?expand=organizations', 'expand'],
] as const)('%s %s is refused, since the parameter would be ignored', async (method, path, parameter) => {
  const { status, error } = await harness.admin.request(method, path);
  expect([status, error]).toMatchObject([400, { code: 'unknown_parameter', details: { parameter } }]);
});

test('the answer names the parameter and those that the route takes', async () => {
  const { error } = await harness.admin.get('./tags?page=2');
  expect(error).toMatchObject({ details: { known: ['skip', 'limit', 'cursor', 'exact_count', 'name_search'] } });
  expect(error?.message).toBe(
    'The query has an unknown parameter "page". This route takes skip, limit, cursor, exact_count, name_search.',
  );
});

test('described parameters, HEAD, and routes whose standard ignores unknown parameters are served', async () => {
  expect((await harness.admin.get('./tags?limit=1&name_search=x')).status).toBe(200);
  const { admin, app } = harness;
  const statusOf = async (method: 'GET' | 'HEAD', url: string) =>
    (await app.inject({ method, url, headers: { authorization: `Bearer ${admin.accessToken}` } })).statusCode;
  expect(await statusOf('HEAD', `/v0/orgs/${admin.organizationId}/tags?limit=1`)).toBe(200);
  expect(await statusOf('HEAD', `/v0/orgs/${admin.organizationId}/tags?filter=1`)).toBe(400);
  expect(await statusOf('GET', '/health?from=probe')).toBe(200);
  expect(await statusOf('GET', '/.well-known/oauth-protected-resource?from=client')).toBe(200);
});
