import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { createHttpServer } from './http-server.ts';

const ends: (() => void)[] = [];
afterEach(() => ends.splice(0).forEach((end) => end()));

/** A server, and a connection to it that has sent this. */
async function sent(text: string, handler: RequestListener): Promise<{ socket: net.Socket; received: () => string }> {
  const server = createHttpServer(handler, {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  ends.push(
    () => socket.destroy(),
    () => void server.close(),
  );
  socket.write(text);
  return { socket, received: () => received };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`;

/** Longer than a busy machine needs. */
const patient = { timeout: 20_000, interval: 1 };

it('works on the requests of a connection one after another, and answers all in their order', async () => {
  const open: { url: string | undefined; response: ServerResponse }[] = [];
  const { received } = await sent([1, 2, 3].map((number) => get(`/${number}`)).join(''), ({ url }, response) => {
    open.push({ url, response });
  });
  for (const number of [1, 2, 3]) {
    await vi.waitFor(() => expect(open.map(({ url }) => url)).toEqual([`/${number}`]), patient);
    open.shift()!.response.end(`answer ${number};`);
  }
  const answers = ['answer 1', 'answer 2', 'answer 3'];
  await vi.waitFor(() => expect(received().match(/answer \d/gu)).toEqual(answers), patient);
});

it.each(['Host: b', 'authorization: Bearer b', 'Content-Type: text/html'])(
  'refuses a second header, of which a proxy could take the other one: %s',
  async (second) => {
    let worked = 0;
    const request = get('/').replace('host: a', `host: a\r\nAuthorization: a\r\ncontent-type: a\r\n${second}`);
    const { socket, received } = await sent(request + get('/next'), () => (worked += 1));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(received()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/u);
    expect(received()).toContain(`more than one header ${second.split(':')[0]!.toLowerCase()}.`);
    expect(worked).toBe(0);
  },
);

it('closes a connection that sends many requests before it has an answer, and works on none of them', async () => {
  let worked = 0;
  const { socket } = await sent(get('/').repeat(5_000), () => (worked += 1));
  // It ends with a reset, which `once` of node:events would throw.
  await new Promise((resolve) => socket.once('close', resolve));
  expect(worked).toBe(1);
});

it('works on the next request of a connection after an answer, however many there were', async () => {
  const { socket, received } = await sent(get('/'), (_request, response) => response.end('answer;'));
  for (let count = 1; count <= 40; count += 1) {
    await vi.waitFor(() => expect(received().split('answer;')).toHaveLength(count + 1), patient);
    if (count < 40) socket.write(get('/'));
  }
});
