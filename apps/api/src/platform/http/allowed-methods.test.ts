import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => {
  await harness.stop();
});

const organization = '/v0/orgs/6b01708ad8a483d59a2b3b5a';

test.each([
  ['PUT', `${organization}/tags`, 'GET, HEAD, POST'],
  ['POST', `${organization}/documents/6b01708ad8a483d59a2b3b5a/file`, 'GET, HEAD'],
  ['GET', '/v0/auth/login', 'POST'],
  ['GET', '/v0/auth/login?from=here', 'POST'],
  ['DELETE', '/health', 'GET, HEAD'],
  ['PUT', '/mcp', 'POST'],
  ['POST', '/api/v1/person/tasks/1/complete', 'PATCH'],
] as const)('%s %s is refused with the methods that the path allows', async (method, url, allow) => {
  const answer = await harness.app.inject({ method, url, headers: { accept: 'text/html' } });
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow]);
  expect(answer.json()).toMatchObject({
    error: {
      code: 'method_not_allowed',
      message: expect.stringContaining(allow),
      details: { allowed: allow.split(', ') },
    },
  });
});

test.each([
  ['GET', '/v0/nothing'],
  ['POST', `${organization}/nothing`],
  ['POST', '/'],
  ['POST', '/assets/app.js'],
] as const)('%s %s is not found', async (method, url) => {
  const answer = await harness.app.inject({ method, url });
  expect([answer.statusCode, answer.headers.allow]).toEqual([404, undefined]);
});
