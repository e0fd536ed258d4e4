import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { reasonNotStorable } from '@docwright/contract';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { longestTurn } from '../../../../../tests/timing/longest-turn.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';
import { memberBody, publicBody, surveyBody } from './body-bounds.ts';
import { validateRequest } from './request-validation.ts';

const routes: RouteOptions[] = [];
let harness: TestApp;
beforeAll(async () => {
  const watch = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => void routes.push(route));
  };
  subscribe('fastify.initialization', watch);
  harness = await startTestApp();
  unsubscribe('fastify.initialization', watch);
});
afterAll(() => harness.stop());

/** Milliseconds of processor time of this thread. */
function processorTime(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, at]));
const list = (count: number, entry: unknown) => Array.from({ length: count }, () => entry);

/** Values with as many entries as a body may have. */
const hostileValues = ({ entries: count, keys: most }: typeof memberBody): Record<string, unknown> => ({
  'empty objects': list(count, {}),
  nulls: list(count, null),
  numbers: list(count, 1),
  texts: list(count, 'x'),
  'a long text': 'x'.repeat(3_900_000),
  'a long text of spaces': ' '.repeat(3_900_000),
  'small objects': list(Math.floor(count / 3), { role: 'user', content: null }),
  lists: list(Math.floor(count / 2), [1]),
  'many keys': keys(most),
  'many objects with many keys': list(Math.floor(count / most), keys(most)),
  'objects of objects': Object.fromEntries(
    Array.from({ length: Math.floor(count / most) }, (_, at) => [`object ${at}`, keys(most)]),
  ),
});

test('no body of any route blocks the process for more than 50 ms of processor time', () => {
  const [ofPublic, ofMembers] = [hostileValues(publicBody), hostileValues(memberBody)];
  const slow: string[] = [];
  let checked = 0;
  for (const { method, url, schema, config } of routes) {
    const body = schema?.body;
    if (!(body instanceof z.ZodType)) continue;
    const isPublic = config?.public === true;
    const validate = validateRequest({ schema: body, method: String(method), url });
    const { properties = {} } = z.toJSONSchema(body, { unrepresentable: 'any', io: 'input' });
    for (const [name, value] of Object.entries(isPublic ? ofPublic : ofMembers)) {
      for (const data of [value, ...Object.keys(properties).map((field) => ({ [field]: value }))]) {
        const work = () => validate(data);
        checked += 1;
        // The first run may compile, and garbage of other tests may be collected in any of them.
        if ([1, 2, 3, 4].every(() => processorTime(work) > 50)) slow.push(`${String(method)} ${url}: ${name}`);
      }
    }
  }
  expect(checked).toBeGreaterThan(1_000);
  expect(slow).toEqual([]);
});

test.each(Object.entries(hostileValues(memberBody)))('a body of %s is parsed within 50 ms', (_name, value) => {
  const text = JSON.stringify(value);
  const work = () => reasonNotStorable(JSON.parse(text));
  expect(Math.min(...[1, 2, 3].map(() => processorTime(work)))).toBeLessThan(50);
});

test.each([
  ['deep lists', '['.repeat(3_800_000)],
  ['keys', JSON.stringify(keys(300_000))],
  ['entries', `[${'{},'.repeat(1_000_000)}{}]`],
  ['escapes', `"${String.raw`\"`.repeat(1_900_000)}"`],
])('%s beyond the bounds are refused before they are parsed, between turns of other requests', async (_name, text) => {
  // Other tests share the cores: a body that blocks does so each time.
  const blocked = [await blockedBy(text), await blockedBy(text), await blockedBy(text)];
  expect(Math.min(...blocked)).toBeLessThan(50);
});

/** The longest time, in milliseconds, in which a refused body leaves no turn to others. */
async function blockedBy(text: string): Promise<number> {
  const before = process.threadCpuUsage();
  let longest = 0;
  let at = performance.now();
  let isDone = false;
  const watch = (): void => {
    longest = Math.max(longest, performance.now() - at);
    at = performance.now();
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  const { beyond: reason } = await surveyBody(text, memberBody);
  isDone = true;
  const { user, system } = process.threadCpuUsage(before);
  expect(reason).toMatch(/^It must not/);
  return Math.min(longest, (user + system) / 1_000);
}

test.each([
  ['to a path that reads no body', '/health', 405],
  ['without an account', '/v0/auth/login', 413],
  ['with an account', '/v0/orgs/{org}/documents', 422],
])('/health is answered at once while 3.8 MB of brackets are sent %s', { retry: 2 }, async (_name, path, status) => {
  const { admin, address } = harness;
  const request = {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${admin.accessToken}` },
    body: Buffer.from('['.repeat(3_800_000)),
  };
  const statuses: number[] = [];
  const { longest } = await longestTurn(async () => {
    const progress = { isSent: false };
    const sent = fetch(address + path.replace('{org}', admin.organizationId), request).then((answer) => {
      progress.isSent = true;
      return answer;
    });
    while (!progress.isSent) statuses.push((await fetch(`${address}/health`)).status);
    expect((await sent).status).toBe(status);
  });
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(longest).toBeLessThan(50);
});

test('brackets and commas within strings are not counted', async () => {
  const bounds = { ...memberBody, entries: 2, keys: 1, depth: 1 };
  const beyond = async (text: string) => (await surveyBody(text, bounds)).beyond;
  expect(await beyond(String.raw`{"a\"[[[,":"{{\\"}`)).toBeUndefined();
  expect(await beyond('{"a":[1]}')).toContain('nested');
  expect(await beyond('[1,2,3]')).toContain('2 entries');
  expect(await beyond('{"a":1,"b":2}')).toContain('1 fields');
});

test('a number that would lose digits is refused wherever a body takes any value', async () => {
  const { admin, address } = harness;
  const post = async (path: string, body: string) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${admin.accessToken}` };
    const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  };
  const documents = `/v0/orgs/${admin.organizationId}/documents`;
  const withMetadata = (account: string) =>
    `{"documents":[{"name":"a.txt","content":"YWNjb3VudCAxZTk5OQ==","metadata":{"account":${account}}}]}`;
  for (const number of ['12345678901234567890', '0.12345678901234567891', '-9007199254740993', '1e400', '1E-400']) {
    const { status, text } = await post(documents, withMetadata(number));
    expect([number, status]).toEqual([number, 422]);
    expect(text).toContain('give it as a text');
    expect(text).toContain('documents.0.metadata.account');
  }
  const dotted = [
    '{"a.b":{"c":12345678901234567890}}',
    '{"a.b":12345678901234567890}',
    '{"a.b":12345678901234567890,"a":{"b":0.10000000000000001}}',
    '{"a":{"b":12345678901234567890},"a.b":0.10000000000000001}',
  ];
  for (const value of dotted) {
    const { status, text } = await post(documents, withMetadata(value));
    expect([value, status]).toEqual([value, 422]);
    expect(text).toContain('give it as a text');
  }
  // A key names no place within another one, and none outside of the body.
  const sharedMethod = (): unknown => Reflect.get(Object.prototype, 'toLocaleString');
  const shared = sharedMethod();
  await post(documents, withMetadata('{"b":{}},"x":{},"x.__proto__.toLocaleString":12345678901234567890'));
  await post(documents, `{"x":{},"x.constructor.prototype.toLocaleString":12345678901234567890}`);
  const changed = sharedMethod();
  Object.assign(Object.prototype, { toLocaleString: shared });
  expect(changed).toBe(shared);
  const kept = ['"12345678901234567890"', '9007199254740992', '1e3', '0.1', '0.10000000000000001', '123456789012345'];
  for (const number of kept) expect((await post(documents, withMetadata(number))).status).toBe(201);
  // Nobody misses the last digits of a field that is a number by its contract.
  const box = '{"page_num":1,"x0":0.3333333333333333333333333333,"y0":0.1,"x1":0.5,"y1":0.5}';
  const decision = `{"document_id":"${'a'.repeat(24)}","prompt_revid":"${'a'.repeat(24)}","path":"total","version":1`;
  const decide = (rest: string) =>
    post(`/v0/orgs/${admin.organizationId}/review/decide`, `{"decisions":[${decision},"action":"correct",${rest}}]}`);
  expect((await decide(`"value":1,"box":${box}`)).status).toBe(200);
  expect((await decide('"value":12345678901234567890')).status).toBe(422);
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"value":1e999}}}';
  expect((await post('/mcp', call)).text).toContain('params.arguments.value is a number beyond the range');
});

test('callers without an account send at most 64 kB, and no path without a handler reads a body', async () => {
  const post = async (path: string, body: string) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(harness.address + path, { method: 'POST', headers, body });
    return [answer.status, await answer.json()] as [number, { error: unknown }];
  };
  const large = JSON.stringify({ email: 'a@example.com', password: 'x'.repeat(70_000) });
  for (const path of ['/v0/auth/login', '/v0/auth/register', '/v0/oauth/token', '/v0/oauth/register']) {
    expect([path, (await post(path, large))[0]]).toEqual([path, 413]);
  }
  const many = JSON.stringify(keys(1_000));
  expect(await post('/v0/auth/login', many)).toMatchObject([422, { error: { code: 'invalid_request' } }]);
  expect(await post('/v0/oauth/token', many)).toMatchObject([400, { error: 'invalid_request' }]);
  expect((await post('/health', '['.repeat(3_800_000)))[0]).toBe(405);
});
