import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fastify, type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorHandler } from './error-handler.ts';
import { webApp } from './web-app.ts';

let webRoot: string;
let app: FastifyInstance;
/** The peak during the last request. */
let closeListeners = 0;
beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'docwright-web-'));
  await mkdir(join(webRoot, 'assets'));
  await writeFile(join(webRoot, 'index.html'), '<title>Docwright</title>');
  for (const name of ['app-1a2b.js', 'worker-1a2b.mjs', 'pdfium-1a2b.wasm', 'style-1a2b.css']) {
    await writeFile(join(webRoot, 'assets', name), 'x');
  }
  await writeFile(join(webRoot, 'icon.svg'), '<svg/>');
  app = fastify();
  app.addHook('onRequest', async (_request, { raw }) => {
    closeListeners = 0;
    raw.on('newListener', (event) => {
      if (event === 'close') closeListeners = Math.max(closeListeners, raw.listenerCount('close') + 1);
    });
  });
  await app.register(errorHandler);
  await app.register(webApp, { webRoot });
});
afterAll(async () => {
  await app.close();
  await rm(webRoot, { recursive: true });
});

const get = (url: string, accept = '*/*') => app.inject({ url, headers: { accept } });

test.each([
  ['/assets/app-1a2b.js', 'application/javascript; charset=utf-8'],
  ['/assets/worker-1a2b.mjs', 'application/javascript; charset=utf-8'],
  ['/assets/pdfium-1a2b.wasm', 'application/wasm'],
  ['/assets/style-1a2b.css', 'text/css; charset=utf-8'],
])('%s is cached for ever and has type %s', async (url, type) => {
  const { statusCode, headers } = await get(url);
  expect([statusCode, headers['content-type']]).toEqual([200, type]);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
});

test.each(['/', '/documents/6b01708ad8a483d59a2b3b5a', '/settings?tab=members', '/index.html'])(
  'a browser that asks for %s gets the page, revalidated each time',
  async (url) => {
    const { statusCode, headers, body } = await get(url, 'text/html,*/*;q=0.8');
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-cache']);
    expect(body).toContain('Docwright');
  },
);

test('serving a page adds few close listeners: Node warns above 10', async () => {
  await get('/setup', 'text/html');
  expect(closeListeners).toBeLessThanOrEqual(8);
});

describe('the page is not served instead of', () => {
  test.each([
    ['a missing asset', '/assets/gone-9z.js', 'text/html'],
    ['a file beside the assets', '/assets/..%2ficon.svg', '*/*'],
    ['a name with a zero byte', '/assets/a%00.js', '*/*'],
    ['a route of the API', '/v0/nothing', 'text/html'],
    ['a file that a script loads', '/pdf.worker.mjs', '*/*'],
    ['a file outside', '/..%2f..%2fetc/passwd', '*/*'],
    ['a path with empty steps', '//v0//orgs', '*/*'],
  ])('%s', async (_what, url, accept) => {
    const answer = await get(url, accept);
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ error: { code: 'not_found' } });
  });
});

test('the web app is served once it is built, also beside a running server', async () => {
  const laterRoot = join(webRoot, 'later');
  const early = fastify();
  await early.register(errorHandler);
  await early.register(webApp, { webRoot: laterRoot });
  const answer = async () => (await early.inject({ url: '/setup', headers: { accept: 'text/html' } })).json();
  expect(await answer()).toMatchObject({ error: { code: 'web_app_not_built' } });
  await mkdir(join(laterRoot, 'assets'), { recursive: true });
  await writeFile(join(laterRoot, 'index.html'), '<title>Docwright</title>');
  await writeFile(join(laterRoot, 'assets/app-3c4d.js'), 'x');
  for (const [url, accept] of [
    ['/setup', 'text/html'],
    ['/assets/app-3c4d.js', '*/*'],
  ] as const) {
    expect((await early.inject({ url, headers: { accept } })).statusCode).toBe(200);
  }
  await early.close();
});
