import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { fastifySSE } from '@fastify/sse';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import { createStreamAdmission } from './stream-admission.ts';

let app: FastifyInstance;
let isValid = true;
const actor = { organizationId: 'o', userId: 'u' };
beforeEach(async () => {
  isValid = true;
  const streams = createStreamAdmission({
    limits: { streams: { user: 1, organization: 1 }, downloads: { user: 1, organization: 1 }, checkEveryMs: 50 },
    apiProcesses: () => 1,
    closing: new AbortController().signal,
    isStillValid: async () => isValid,
  });
  app = fastify({ forceCloseConnections: true });
  app.setErrorHandler(async (_error, _request, reply) => reply.code(429).send());
  app.decorate('closing', new AbortController().signal);
  app.decorateRequest('actor', { getter: () => actor as never });
  app.decorateRequest('principal', { getter: () => ({}) as never });
  await app.register(fastifySSE, { heartbeatInterval: 0 });
  async function* events(signal: AbortSignal) {
    while (!signal.aborted) yield { type: 'state', payload: 'x'.repeat(64 * 1024) };
  }
  app.get('/endless', { sse: 'manual' }, async (request, reply) =>
    sendEvents(reply, streams.stream(request, reply), events),
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

it('a client that reads nothing loses its connection and its place with the right to it', async () => {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('GET /endless HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(socket, 'readable');
  const status = async () => (await app.inject('/endless')).statusCode;
  expect(await status()).toBe(429);
  isValid = false;
  const connections = async () =>
    new Promise((resolve) => {
      app.server.getConnections((_error, count) => resolve(count));
    });
  await expect.poll(connections, { timeout: 5_000 }).toBe(0);
  socket.destroy();
});
