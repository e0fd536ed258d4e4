import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { leavePlace, requestPlaces } from './request-places.ts';

let app: FastifyInstance;
afterEach(() => app.close());

const limits = { inAll: 2, ofParty: 2, maxHeldMs: 60_000 };

async function serve(own: Partial<typeof limits> = {}) {
  const running: string[] = [];
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  app = fastify();
  app.decorateRequest('actor', {
    getter: function (this: { headers: Record<string, string> }) {
      const organizationId = this.headers['x-org-id'];
      if (organizationId === undefined) throw new Error('no actor');
      return { organizationId };
    } as never,
  });
  await app.register(requestPlaces, { limits: { ...limits, ...own } });
  app.all('/v0/work/:name', async (request) => {
    const { name } = request.params as { name: string };
    started.push(name);
    running.push(name);
    if ((request.query as { leaves?: string }).leaves !== undefined) leavePlace(request);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    running.splice(running.indexOf(name), 1);
    return { name };
  });
  app.get('/health', async () => ({ status: 'ok' }));
  const ask = (name: string, query = '') =>
    app.inject({ url: `/v0/work/${name}${query}`, headers: { 'x-org-id': name[0]! } });
  const end = async (name: string) => {
    await expect.poll(() => ends.has(name)).toBe(true);
    ends.get(name)!();
  };
  return { started, ask, end };
}

it('requests of an organization that sends many wait, and those of another one come between them', async () => {
  const { started, ask, end } = await serve();
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2'].map((name) => ask(name));
  await expect.poll(() => started).toEqual(['a1', 'a2']);
  for (const name of ['a1', 'a2', 'b1', 'a3', 'b2', 'a4', 'a5']) await end(name);
  await Promise.all(all);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4', 'a5']);
});

it('health does not wait', async () => {
  const { started, ask, end } = await serve();
  const all = ['a1', 'a2', 'a3'].map((name) => ask(name));
  await expect.poll(() => started).toEqual(['a1', 'a2']);
  expect((await app.inject('/health')).statusCode).toBe(200);
  for (const name of ['a1', 'a2', 'a3']) await end(name);
  await Promise.all(all);
});

it('a request that waits for a model gives its place back', async () => {
  const { started, ask, end } = await serve();
  const all = ['a1', 'a2', 'a3'].map((name) => ask(name, '?leaves'));
  await expect.poll(() => started).toEqual(['a1', 'a2', 'a3']);
  for (const name of ['a3', 'a1', 'a2']) await end(name);
  await Promise.all(all);
});

it('a request that runs for long keeps its place only for some time', async () => {
  const { started, ask, end } = await serve({ maxHeldMs: 1 });
  const all = ['a1', 'a2', 'a3'].map((name) => ask(name));
  await expect.poll(() => started).toEqual(['a1', 'a2', 'a3']);
  for (const name of ['a1', 'a2', 'a3']) await end(name);
  await Promise.all(all);
});

/** Sends this text to the server. */
async function send(request: string): Promise<net.Socket> {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const client = net.connect((app.server.address() as AddressInfo).port, '127.0.0.1');
  client.write(request);
  return client;
}

it('a small body that does not arrive takes no place', async () => {
  const { started, ask, end } = await serve({ inAll: 1 });
  const arrived = new Promise((resolve) => app.server.once('request', resolve));
  const head = 'POST /v0/work/a1 HTTP/1.1\r\nhost: a\r\nx-org-id: a\r\ncontent-type: application/json';
  const client = await send(`${head}\r\ncontent-length: 2\r\n\r\n{`);
  await arrived;
  const answer = ask('a2');
  await expect.poll(() => started).toEqual(['a2']);
  client.write('}');
  await end('a2');
  await end('a1');
  await answer;
  client.destroy();
});

it('a request whose client leaves before its turn is not begun, and the next one has its place', async () => {
  const { started, ask, end } = await serve({ inAll: 1 });
  const answer = ask('a1');
  await expect.poll(() => started).toEqual(['a1']);
  const arrived: string[] = [];
  app.server.on('request', ({ url }, response) => {
    arrived.push(url!);
    response.once('close', () => arrived.push('closed'));
  });
  const client = await send('GET /v0/work/a2 HTTP/1.1\r\nhost: a\r\nx-org-id: a\r\n\r\n');
  await expect.poll(() => arrived).toEqual(['/v0/work/a2']);
  client.destroy();
  await once(client, 'close');
  await expect.poll(() => arrived).toEqual(['/v0/work/a2', 'closed']);
  const later = ask('a3');
  await end('a1');
  await end('a3');
  await Promise.all([answer, later]);
  expect(started).toEqual(['a1', 'a3']);
});
