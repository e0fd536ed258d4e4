import { afterEach, describe, expect, test } from 'vitest';
import { createDocwright } from '../create-docwright.ts';
import { answer, refuse, startScriptedServer } from '../testing/scripted-server.ts';

let server: Awaited<ReturnType<typeof startScriptedServer>> | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function serve(...handlers: Parameters<typeof startScriptedServer>) {
  server = await startScriptedServer(...handlers);
  return { server, client: createDocwright({ baseUrl: server.url, token: 'secret', organizationId: 'o1' }) };
}

describe('errors', () => {
  test('have the code, message and details of the server', async () => {
    const { client } = await serve(refuse(409, 'version_conflict'));
    await expect(client.documents.delete('d1')).rejects.toMatchObject({
      name: 'DocwrightError',
      code: 'version_conflict',
      status: 409,
      message: 'It is version_conflict.',
      request_id: 'r-1',
      details: { why: 1 },
    });
  });

  test.each([
    ['a page', answer(200, '<html>'), 'not_docwright'],
    ['a 404 of another server', answer(404, '<html>'), 'not_docwright'],
    ['a redirect', answer(302, '', { location: 'https://elsewhere.example' }), 'redirected'],
  ])('name a wrong address: %s', async (_what, handler, code) => {
    const { client } = await serve(handler);
    await expect(client.auth.me()).rejects.toMatchObject({ code });
  });

  test('name an unreachable server, and a timeout', async () => {
    const { client, server } = await serve(() => undefined);
    await expect(client.auth.me({ timeoutMs: 50 })).rejects.toMatchObject({ code: 'timeout', status: 0 });
    await server.stop();
    const unreachable = createDocwright({ baseUrl: server.url, retries: 0 });
    await expect(unreachable.auth.me()).rejects.toThrow(/ECONNREFUSED\)\. Check the address/);
  });

  test.each(['localhost:3000', 'ftp://x', '', 'https://user:pass@host'])('refuse the address %j', (baseUrl) => {
    expect(() => createDocwright({ baseUrl })).toThrow(/address of (a|the) server/);
  });

  test.each(['', '..', '.'])('refuse the id %j, which would address another route', async (id) => {
    const { client, server } = await serve();
    await expect(client.documents.delete(id)).rejects.toMatchObject({ code: 'invalid_argument' });
    expect(server.requests).toHaveLength(0);
  });
});

describe('the client', () => {
  test('retries a GET while the server is starting', async () => {
    const { client } = await serve(refuse(503, 'not_ready'), answer(200, { models: [] }));
    expect(await client.models.list()).toEqual({ models: [] });
  });

  test('retries any request that was refused with Retry-After', async () => {
    const { client, server } = await serve(
      refuse(429, 'too_many_turns', { 'retry-after': '0' }),
      answer(200, { ok: 1 }),
    );
    expect(await client.extractions.run('d1')).toEqual({ ok: 1 });
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
  });

  test.each([
    ['a POST that the server might have executed', refuse(502, 'model_failed')],
    ['a POST whose answer got lost', (_: unknown, response: { destroy(): unknown }) => void response.destroy()],
    ['a 429 without Retry-After', refuse(429, 'too_many_requests')],
  ])('never retries %s', async (_, handler) => {
    const { client, server } = await serve(handler, answer(200, {}));
    await expect(client.extractions.run('d1')).rejects.toThrow();
    expect(server.requests).toHaveLength(1);
  });
});

test('listAll requests pages on demand', async () => {
  const page = (skip: number, names: string[]) =>
    answer(200, { tags: names.map((name) => ({ name })), total_count: 3, skip, limit: 2 });
  const { client, server } = await serve(page(0, ['a', 'b']), page(2, ['c']));
  const names: string[] = [];
  for await (const { name } of client.tags.listAll({ name_search: 'x', limit: 2 })) names.push(name);
  expect(names).toEqual(['a', 'b', 'c']);
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/v0/orgs/o1/tags?name_search=x&limit=2&skip=0',
    '/v0/orgs/o1/tags?name_search=x&limit=2&skip=2',
  ]);
});

test('listAll goes on by cursor where a list has one, up to the page without', async () => {
  const page = (names: string[], more: object) =>
    answer(200, { tags: names.map((name) => ({ name })), total_count: 3, skip: 0, limit: 2, ...more });
  const { client, server } = await serve(
    page(['b', 'c'], { next_cursor: 'one' }),
    page([], { next_cursor: 'two', total_count: 2 }),
    page(['d'], { total_count: 9 }),
  );
  const names: string[] = [];
  for await (const { name } of client.tags.listAll({ limit: 2, skip: 1 })) names.push(name);
  expect(names).toEqual(['b', 'c', 'd']);
  expect(server.requests.map(({ url }) => url)).toEqual([
    '/v0/orgs/o1/tags?limit=2&skip=1',
    '/v0/orgs/o1/tags?limit=2&skip=0&cursor=one',
    '/v0/orgs/o1/tags?limit=2&skip=0&cursor=two',
  ]);
});

test('listAll gives each item once beside damaged ones, and does not end where counting ends', async () => {
  const page = (names: string[], more: object) =>
    answer(200, { tags: names.map((name) => ({ name })), total_count: 3, skip: 0, limit: 2, ...more });
  const { client, server } = await serve(
    page(['a'], { total_is_minimum: true, unreadable: ['t2'] }),
    page(['c', 'd'], { total_is_minimum: true }),
    page(['e'], { total_count: 5 }),
  );
  const names: string[] = [];
  for await (const { name } of client.tags.listAll({ limit: 2 })) names.push(name);
  expect(names).toEqual(['a', 'c', 'd', 'e']);
  expect(server.requests.map(({ url }) => url.match(/skip=(\d+)/u)?.[1])).toEqual(['0', '2', '4']);
});

test('the default organization is requested once, and not for a client with a given one', async () => {
  const { server } = await serve(
    answer(200, { organizations: [{ id: 'first' }] }),
    answer(200, {}),
    answer(200, {}),
    answer(200, {}),
  );
  const client = createDocwright({ baseUrl: `${server.url}/below/`, token: 'secret' });
  await client.documents.upload({ name: 'a', content: 'x' }).catch(() => undefined);
  await client.usage.get();
  await client.in('other').usage.get();
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /below/v0/me',
    'POST /below/v0/orgs/first/documents',
    'GET /below/v0/orgs/first/usage',
    'GET /below/v0/orgs/other/usage',
  ]);
  expect(server.requests.every(({ headers }) => headers.authorization === 'Bearer secret')).toBe(true);
});
