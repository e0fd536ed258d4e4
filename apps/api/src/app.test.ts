import type { ErrorBody } from '@docwright/contract';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadiness } from './platform/http/readiness.ts';
import { startTestApp, type TestApp } from './testing/test-app.ts';

const readiness = createReadiness([]);
let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp({ readiness });
});
afterAll(async () => {
  await harness.stop();
});

const send = async (options: InjectOptions) => {
  const answer = await harness.app.inject(options);
  return { answer, status: answer.statusCode, ...answer.json<ErrorBody>() };
};
const json = { 'content-type': 'application/json' };
const login = (payload: string, headers: Record<string, string> = json) =>
  send({ method: 'POST', url: '/v0/auth/login', payload, headers });

describe('a malformed request', () => {
  test.each([
    ['a body that is not JSON', '{"email": ', json, 400, 'malformed_json'],
    ['an empty body', '', json, 400, 'malformed_json'],
    ['a prototype in the body', '{"__proto__": {"x": 1}}', json, 400, 'malformed_json'],
    ['a field name that the database cannot store', '{"email": {"a\\u0000": 1}}', json, 422, 'invalid_request'],
    ['endlessly nested lists', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, json, 413, 'body_too_large'],
    [
      'another content type',
      'email=a',
      { 'content-type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['plain text', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['a list instead of an object', '[]', json, 422, 'invalid_request'],
    ['null', 'null', json, 422, 'invalid_request'],
    ['a body of 5 MB', `"${'a'.repeat(5 * 1024 * 1024)}"`, json, 413, 'body_too_large'],
  ])('%s', async (_what, payload, headers, status, code) => {
    const answer = await login(payload, headers);
    expect([answer.status, answer.error.code]).toEqual([status, code]);
  });

  test('a form with more fields than an upload takes', async () => {
    const { organizationId, accessToken } = harness.admin;
    const field = (at: number) => `--b\r\ncontent-disposition: form-data; name="f${at}"\r\n\r\n1\r\n`;
    const answer = await send({
      method: 'POST',
      url: `/v0/orgs/${organizationId}/documents`,
      headers: { 'content-type': 'multipart/form-data; boundary=b', authorization: `Bearer ${accessToken}` },
      payload: `${Array.from({ length: 30 }, (_, at) => field(at)).join('')}--b--\r\n`,
    });
    expect([answer.status, answer.error.code]).toEqual([413, 'body_too_large']);
    expect(answer.error.message).toContain('more fields');
  });

  test.each([
    ['DELETE', '/v0/orgs/{org}/tags/0123456789abcdef01234567', 404, 'tag_not_found'],
    ['POST', '/v0/orgs/{org}/tags', 400, 'malformed_json'],
  ] as const)('an empty JSON body of %s %s is %i', async (method, path, status, code) => {
    const { organizationId, accessToken } = harness.admin;
    const url = path.replace('{org}', organizationId);
    const answer = await send({
      method,
      url,
      headers: { ...json, authorization: `Bearer ${accessToken}` },
      payload: '',
    });
    expect([answer.status, answer.error.code]).toEqual([status, code]);
  });

  test('an error names the invalid fields, and its request_id matches the header', async () => {
    const { error, answer } = await login('{"email": "nobody"}');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(error.request_id).toBe(answer.headers['x-request-id']);
    expect(error.details).toEqual([
      { in: 'body', path: 'email', message: 'An e-mail address is needed.' },
      { in: 'body', path: 'password', message: 'It is missing.' },
    ]);
    expect(error.message).toBe('The request does not fit its schema. body: email: An e-mail address is needed.');
  });

  test.each([
    ['an unknown route', '/v0/nothing'],
    ['a malformed path', '/v0/orgs/%zz'],
    ['a path outside the web app', '/..%2f..%2fpackage.json'],
  ])('%s is not found', async (_what, url) => {
    const { status, error, answer } = await send({ url });
    expect([status, error.code, error.request_id]).toEqual([404, 'not_found', answer.headers['x-request-id']]);
  });

  test('the wrong method is answered with the allowed ones', async () => {
    const { status, error, answer } = await send({ url: '/v0/auth/login' });
    expect([status, error.code, answer.headers['allow']]).toEqual([405, 'method_not_allowed', 'POST']);
  });

  test('a malformed query names the field', async () => {
    const { status, error } = await harness.admin.get('/v0/orgs?limit=1000&skip=-1');
    expect(status).toBe(422);
    expect(error?.details).toMatchObject([
      { in: 'query', path: 'skip' },
      { in: 'query', path: 'limit' },
    ]);
  });
});

test('while the database is down, /health is healthy, /ready names it, and routes refuse', async () => {
  readiness.down('database');
  expect((await harness.app.inject({ url: '/health' })).json()).toEqual({ status: 'healthy' });
  const ready = await harness.app.inject({ url: '/ready' });
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'not_ready', missing: ['database'] }]);
  expect((await harness.admin.get('/v0/me')).status).toBe(503);
  readiness.up('database');
  expect((await harness.app.inject({ url: '/ready' })).json()).toEqual({ status: 'ready', missing: [] });
  expect((await harness.admin.get('/v0/me')).status).toBe(200);
});

test('metrics count requests by route, not by URL', async () => {
  await harness.admin.get(`/v0/orgs/${harness.admin.organizationId}`);
  const { body } = await harness.app.inject({ url: '/metrics' });
  expect(body).toContain('http_request_duration_seconds_count{method="GET",route="/v0/orgs/:org_id",status="200"}');
  expect(body).not.toContain(harness.admin.organizationId);
});

test('pages can run only our own scripts, WebAssembly and workers', async () => {
  const { headers } = await harness.app.inject({ url: '/health' });
  expect(headers['content-security-policy']).toContain("script-src 'self' 'wasm-unsafe-eval';worker-src 'self' blob:");
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test('too many requests from one address are 429, signed in or not', async () => {
  const limited = await startTestApp({ requestsPerMinute: 5 });
  const statuses = [];
  for (let request = 0; request < 6; request += 1) {
    statuses.push((await limited.app.inject({ url: '/v0/me' })).statusCode);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  expect((await limited.app.inject({ url: '/health' })).statusCode).toBe(200);
  await limited.stop();
});
