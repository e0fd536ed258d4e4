import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { fastifySSE } from '@fastify/sse';
import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventStream, sendEvents } from './event-stream.ts';

const payload = 'x'.repeat(64 * 1024);

let app: FastifyInstance;
let generated: number;
let ended: Promise<string>;
let stop: AbortController;
beforeEach(async () => {
  generated = 0;
  stop = new AbortController();
  let end: (how: string) => void;
  ended = new Promise((resolve) => {
    end = resolve;
  });
  async function* events() {
    for (;;) {
      generated += 1;
      yield { type: 'state', payload };
    }
  }
  app = fastify({ forceCloseConnections: true });
  app.decorate('closing', stop.signal);
  await app.register(fastifySSE, { heartbeatInterval: 0 });
  app.get('/endless', { sse: 'manual' }, async (_request, reply) => {
    await sendEvents(reply, stop.signal, events).then(
      () => end('returned'),
      () => end('threw'),
    );
  });
  app.get('/impatient', { sse: 'manual' }, async (_request, reply) => {
    const stream = createEventStream(reply, stop.signal, 200);
    while (!stream.signal.aborted) await stream.write(payload);
    end('returned');
  });
  app.get('/quiet', { sse: 'manual' }, async (_request, reply) => {
    await sendEvents(reply, AbortSignal.any([stop.signal]), async function* (signal) {
      yield { type: 'state' };
      await once(signal, 'abort');
      yield { type: 'late' };
    });
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

/** Sends a request and reads only the first bytes. */
async function requestWithoutReading(path: string): Promise<Socket> {
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

async function waitUntilSettled(): Promise<number> {
  for (let before = -1; before !== generated;) {
    before = generated;
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  return generated;
}

test('events are only generated as the client reads, and the stream ends when the client disconnects', async () => {
  const socket = await requestWithoutReading('/endless');
  const generatedBefore = await waitUntilSettled();
  // Only what the kernel buffers on both sides.
  expect(generatedBefore * payload.length).toBeLessThan(32 * 1024 * 1024);
  socket.destroy();
  expect(await ended).toBe('returned');
  expect(generated).toBeLessThanOrEqual(generatedBefore + 1);
});

test('a stalled client is disconnected', async () => {
  const socket = await requestWithoutReading('/impatient');
  expect(await ended).toBe('returned');
  socket.destroy();
});

test('a stopping server tells the clients of open streams, which end with that', async () => {
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/quiet`;
  const told = /^retry: \d{3,4}\nevent: stopping\ndata: \{"type":"stopping"\}\n\n$/u;
  const open = await fetch(url);
  const reader = open.body!.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader.read()).value).toBe('id: 1\nevent: state\ndata: {"type":"state"}\n\n');
  stop.abort();
  let rest = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) rest += next.value;
  expect(rest).toMatch(told);
});
