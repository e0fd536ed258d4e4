import { connect, type AddressInfo, type Socket } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { longAnswers } from './long-answers.ts';

let app: FastifyInstance;
/** The requests that are being answered, by organization. */
const running = new Map<string, number>();
let most = 0;
let received = 0;
let sent = 0;
let changes = 0;
let finish: () => void;
beforeEach(async () => {
  running.clear();
  most = 0;
  const gate = new Promise<void>((resolve) => void (finish = resolve));
  app = fastify();
  app.decorateRequest('actor', {
    getter() {
      return { organizationId: this.headers['x-org-id'] as string } as never;
    },
  });
  await app.register(longAnswers, { unread: { inAll: 55e6, stallMs: 60_000 } });
  const answer = async ({ actor: { organizationId } }: { actor: { organizationId: string } }) => {
    const count = (running.get(organizationId) ?? 0) + 1;
    running.set(organizationId, count);
    most = Math.max(most, count);
    if (organizationId === 'many') await gate;
    running.set(organizationId, running.get(organizationId)! - 1);
    return { documents: [] };
  };
  app.get('/documents', { schema: { operationId: 'listDocuments' } }, answer);
  app.get('/tags', { schema: { operationId: 'listTags' } }, answer);
  app.patch('/result', { schema: { operationId: 'updateExtractionField' } }, async (request) => {
    changes += 1;
    return await answer(request);
  });
  app.get('/long', async () => Array.from({ length: 100_000 }, () => 'x'.repeat(100)));
  received = sent = changes = 0;
  app.addHook('onRequest', async () => void (received += 1));
  app.addHook('onSend', async () => void (sent += 1));
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

const get = (url: string, organization: string, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: { 'x-org-id': organization } });

it('an organization has four long lists made at once; others do not wait for the rest, and it has them all in the end', async () => {
  const lists = Array.from({ length: 40 }, (_, at) => get('/documents', 'many', at % 2 === 0 ? 'GET' : 'HEAD'));
  await expect.poll(() => running.get('many')).toBe(4);
  expect((await get('/documents', 'other')).statusCode).toBe(200);
  expect(running.get('many')).toBe(4);
  finish();
  const answers = await Promise.all(lists);
  expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
  expect(most).toBe(4);
});

it('short answers wait for no place', async () => {
  const tags = Array.from({ length: 20 }, () => get('/tags', 'many'));
  await expect.poll(() => running.get('many')).toBe(20);
  finish();
  await Promise.all(tags);
});

/** A request over a connection of its own, whose answer is not read. */
function open(path: string, organization: string, method = 'GET'): Socket {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.write(`${method} ${path} HTTP/1.1\r\nHost: localhost\r\nx-org-id: ${organization}\r\n\r\n`);
  return socket.pause();
}

it('clients that leave free no place for others before their answers are made, and those that waited have none made', async () => {
  const sockets = Array.from({ length: 20 }, () => open('/documents', 'many'));
  await expect.poll(() => [received, running.get('many')]).toEqual([20, 4]);
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))).toBe(0);
  // A later request waits for the work of those whose clients have left.
  const late = get('/documents', 'many');
  expect([running.get('many'), most]).toEqual([4, 4]);
  finish();
  expect((await late).statusCode).toBe(200);
  expect(most).toBe(4);
});

it('changes of results take places too, and are made also for those who left', async () => {
  const sockets = Array.from({ length: 10 }, () => open('/result', 'many', 'PATCH'));
  await expect.poll(() => [received, running.get('many')]).toEqual([10, 2]);
  for (const socket of sockets) socket.destroy();
  finish();
  await expect.poll(() => changes).toBe(10);
  expect(most).toBe(2);
});

it('answers that nobody reads are broken off, those of the organization that holds most first', async () => {
  let closed = 0;
  const one = open('/long', 'other');
  await expect.poll(() => sent).toBe(1);
  // 10 MB each: five are sent at once.
  const many: Socket[] = [];
  for (let count = 1; count <= 12; count += 1) {
    many.push(open('/long', 'many').on('close', () => void (closed += 1)));
    await expect.poll(() => sent).toBe(1 + count);
  }
  for (const socket of many) socket.resume();
  await expect.poll(() => closed).toBe(8);
  let bytes = 0;
  one.on('data', (chunk: Buffer) => void (bytes += chunk.byteLength)).resume();
  await expect.poll(() => bytes).toBeGreaterThan(10_000_000);
  for (const socket of [one, ...many]) socket.destroy();
});
