import { connect, type AddressInfo, type Socket } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import { largeBodies } from './large-bodies.ts';

const size = 2 * 1024 * 1024;
let app: FastifyInstance;
/** Requests whose body may be read, and those that have been answered. */
let admitted = 0;
let answered = 0;
let sockets: Socket[] = [];
async function start(patientMs = 60_000): Promise<void> {
  admitted = answered = 0;
  app = fastify({ bodyLimit: 2 * size });
  app.decorateRequest('actor', {
    getter() {
      return { organizationId: this.headers['x-org-id'] as string } as never;
    },
  });
  const limits = { inAll: 3, ofParty: 2, patientMs, bytesPerSecond: 1024 * 1024, stallMs: 60_000 };
  await app.register(largeBodies, { limits });
  app.addHook('preParsing', async () => void (admitted += 1));
  app.post('/', async () => {
    answered += 1;
    return 'stored';
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
}
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await app.close();
});

/** Begins a request with a body of 2 MB; `end` sends it. */
function begin(organization: string) {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1')
    .on('error', () => undefined)
    .resume();
  const headers = `Host: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${size}\r\nx-org-id: ${organization}`;
  socket.write(`POST / HTTP/1.1\r\n${headers}\r\n\r\n`);
  sockets.push(socket);
  return { socket, end: () => void socket.write(Buffer.alloc(size, 'x')) };
}

it('few large bodies are received at once, fewer of an organization, and small ones without waiting', async () => {
  await start();
  const many = Array.from({ length: 6 }, () => begin('many'));
  await expect.poll(() => admitted).toBe(2);
  const other = begin('other');
  await expect.poll(() => admitted).toBe(3);
  const headers = { 'x-org-id': 'many', 'content-type': 'text/plain' };
  expect((await app.inject({ method: 'POST', url: '/', headers, payload: 'small' })).statusCode).toBe(200);
  for (const { end } of [...many, other]) end();
  await expect.poll(() => answered).toBe(8);
});

it('a client that leaves gives its place back', async () => {
  await start();
  const [first, second] = [begin('many'), begin('many')];
  await expect.poll(() => admitted).toBe(2);
  begin('many').end();
  for (const { socket } of [first, second]) socket.destroy();
  await expect.poll(() => answered).toBe(1);
});

it('a body that does not come loses its place to one that waits', async () => {
  await start(300);
  begin('many');
  begin('many');
  await expect.poll(() => admitted).toBe(2);
  begin('many').end();
  await expect.poll(() => answered, { timeout: 10_000 }).toBe(1);
});
