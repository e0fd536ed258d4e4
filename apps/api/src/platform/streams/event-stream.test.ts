import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { fastifySSE } from '@fastify/sse';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventStream, sendEvents } from './event-stream.ts';

const filling = 'x'.repeat(64 * 1024);

let app: FastifyInstance;
let told: number;
let ended: Promise<string>;
const stop = new AbortController();
beforeEach(async () => {
  told = 0;
  let end: (how: string) => void;
  ended = new Promise((resolve) => {
    end = resolve;
  });
  async function* events() {
    for (;;) {
      told += 1;
      yield { type: 'state', filling };
    }
  }
  app = fastify({ forceCloseConnections: true });
  await app.register(fastifySSE, { heartbeatInterval: 0 });
  app.get('/endless', { sse: 'manual' }, async (_request, reply) => {
    await sendEvents(reply, stop.signal, events).then(
      () => end('returned'),
      () => end('threw'),
    );
  });
  app.get('/impatient', { sse: 'manual' }, async (_request, reply) => {
    const stream = createEventStream(reply, stop.signal, 200);
    while (!stream.signal.aborted) await stream.write(filling);
    end('returned');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

/** Asks and reads no more than the first bytes. */
async function askWithoutReading(path: string): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

async function settled(): Promise<number> {
  for (let before = -1; before !== told;) {
    before = told;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return told;
}

test('what a client does not read is not made, and the stream ends when the client goes', async () => {
  const socket = await askWithoutReading('/endless');
  const made = await settled();
  // What the kernel buffers on both sides, and no more.
  expect(made * filling.length).toBeLessThan(32 * 1024 * 1024);
  socket.destroy();
  expect(await ended).toBe('returned');
  expect(told).toBeLessThanOrEqual(made + 1);
});

test('a client that takes nothing for too long is let go', async () => {
  const socket = await askWithoutReading('/impatient');
  expect(await ended).toBe('returned');
  socket.destroy();
});
