import fs from 'node:fs';
import path from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser } from '../browser/browser.ts';
import { openDesk } from '../browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const invoice = path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf');
const isScript = (url: string) => url.endsWith('.js');

interface Received {
  url: string;
  bytes: number;
  encoding: string | undefined;
}

/** Records the encoded bodies of all responses from now on. */
async function watchNetwork(page: Page): Promise<Received[]> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const received: Received[] = [];
  const open = new Map<string, { url: string; encoding: string | undefined; head: number }>();
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const { url, headers, encodedDataLength: head } = response;
    open.set(requestId, { url, encoding: headers['content-encoding'], head });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const response = open.get(requestId);
    if (response === undefined) return;
    const { url, encoding, head } = response;
    received.push({ url, encoding, bytes: encodedDataLength - head });
  });
  return received;
}

const kilobytes = (received: Received[]) => received.reduce((sum, { bytes }) => sum + bytes, 0) / 1000;

describe.skipIf(chromiumPath === undefined)('a transfer to the browser', () => {
  let product: SharedProduct;
  let browser: Browser;
  let page: Page;
  let received: Received[];
  let open: (tab: string) => Promise<void>;

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    const desk = await openDesk(browser, product);
    ({ page } = desk);
    const document = await desk.upload('contoso-invoice.pdf', fs.readFileSync(invoice));
    await desk.read(document);
    received = await watchNetwork(page);
    open = async (search) => {
      received.length = 0;
      await page.goto(`${product.url}/documents/${document.id}${search}`);
      await page.locator('canvas').first().waitFor();
      await page.getByRole('tabpanel').first().waitFor();
    };
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('of JavaScript is at most 150 kB for the shell with the sign-in page', async () => {
    const visitor = await (await browser.newContext()).newPage();
    const seen = await watchNetwork(visitor);
    await visitor.goto(`${product.url}/sign-in`);
    await visitor.getByLabel('Password').waitFor();
    await visitor.waitForLoadState('networkidle');
    const scripts = seen.filter(({ url }) => isScript(url));
    expect(scripts.length).toBeGreaterThan(1);
    expect(kilobytes(scripts)).toBeLessThanOrEqual(150);
  });

  it('of JavaScript is at most 245 kB with the agent and 415 kB with the PDF viewer; the JSON editor and what renders answers are loaded later', async () => {
    await open('?tab=agent');
    await page.getByLabel('Message to the agent').waitFor();
    const scripts = received.filter(({ url }) => isScript(url));
    const viewer = scripts.filter(({ url }) => /\/pdf-(viewer|sheets)-/u.test(url));
    expect(viewer).toHaveLength(2);
    expect(kilobytes(scripts)).toBeLessThanOrEqual(415);
    expect(kilobytes(scripts.filter((each) => !viewer.includes(each)))).toBeLessThanOrEqual(245);
    expect(scripts.filter(({ url }) => /\/(argument-editor|markdown)-/u.test(url))).toEqual([]);
  });

  it('is compressed for pages, scripts, styles, the worker of the viewer, and answers of the API', async () => {
    await open('?tab=extraction');
    await page.waitForLoadState('networkidle');
    const plain = received.filter(
      ({ url, bytes, encoding }) =>
        url.startsWith(product.url) && bytes > 2000 && encoding === undefined && !/\/(file|picture)$/u.test(url),
    );
    expect(plain.map(({ url, bytes }) => `${url} ${bytes}`)).toEqual([]);
    expect(received.some(({ encoding }) => encoding === 'br')).toBe(true);
    const worker = received.find(({ url }) => url.endsWith('.mjs'));
    expect(worker?.bytes ?? 0).toBeLessThan(400_000);
  });

  it('of the API is compressed as the client accepts it; an event stream is never compressed', async () => {
    const address = `${product.url}/v0/me`;
    for (const encoding of ['br', 'gzip']) {
      const answer = await page.request.get(`${product.url}/docs/json`, { headers: { 'accept-encoding': encoding } });
      expect([answer.status(), answer.headers()['content-encoding']]).toEqual([200, encoding]);
    }
    const small = await page.request.get(address, { headers: { 'accept-encoding': 'gzip' } });
    expect(small.headers()['content-encoding']).toBeUndefined();
  });
});
