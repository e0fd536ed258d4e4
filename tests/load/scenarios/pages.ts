import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Document, Extraction, Prompt, Schema } from '@docwright/contract';
import type { Browser, BrowserContext, CDPSession } from 'playwright-core';
import { launchBrowser } from '../../e2e/browser/browser.ts';
import type { Laboratory } from '../laboratory.ts';
import { account } from '../organization.ts';
import type { Seeded } from '../seed.ts';

/** A slow connection and a slow computer: 1.6 Mbit/s with 150 ms of delay, and a fourth of this processor. */
const slow = { kilobitsPerSecond: 1600, delayMs: 150, processor: 4 };
const rounds = 3;
const maxMs = 240_000;

interface Sight {
  /** Milliseconds since the navigation began. */
  ms: number;
  kilobytes: number;
  requests: number;
}

/** What users wait for, by name: a selector of what is there then. */
const row = { 'first row': 'main tbody a' };
const sheet = { 'page to be seen': 'img[alt="Page 1"][data-loaded], canvas[data-drawn]' };
const looks = (documentId: string): Record<string, { path: string; sights: Record<string, string> }> => ({
  'list of documents': { path: '/', sights: row },
  document: {
    path: `/documents/${documentId}?tab=extraction`,
    sights: { values: '[role="tabpanel"] [data-field]', ...sheet },
  },
  Review: { path: '/review', sights: { 'first value': '[aria-label="Values to check"] li', ...sheet } },
});

/**
 * The pages of an organization in Chromium with an empty cache: when they can be used, and the bytes and requests until
 * then. The median by time of three loads on a slow connection and computer, then of three on this one.
 */
export async function pages(laboratory: Laboratory, seeded: Seeded): Promise<Record<string, Sight>> {
  const documentId = await readInvoice(laboratory);
  const browser = await launchBrowser();
  const measured: Record<string, Sight> = {};
  try {
    for (const [name, look] of Object.entries(looks(documentId))) {
      for (const isSlow of [true, false]) {
        const loads: Record<string, Sight>[] = [];
        for (let round = 0; round < rounds; round += 1)
          loads.push(await load(browser, laboratory, { ...look, isSlow }));
        for (const sight of Object.keys(look.sights)) {
          const found = loads.map((each) => each[sight]!).toSorted((a, b) => a.ms - b.ms);
          measured[`${name}, ${sight}${isSlow ? ', slow' : ''}`] = found[rounds >> 1]!;
        }
      }
    }
  } finally {
    await browser.close();
  }
  if (seeded.documents === 0) throw new Error('Without documents there is no first row.');
  return measured;
}

/** An extracted invoice, which is the first in Review for this user. */
async function readInvoice({ ask }: Laboratory): Promise<string> {
  const file = path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf');
  const content = fs.readFileSync(file).toString('base64');
  const uploaded = await ask<{ documents: [Document] }>('/documents', {
    documents: [{ name: 'invoice.pdf', content }],
  });
  const [{ id, duplicate_of }] = uploaded.documents;
  // A folder that was measured before has it already.
  if (duplicate_of !== undefined) return await leased(ask, duplicate_of);
  while (['uploaded', 'ocr_processing'].includes((await ask<Document>(`/documents/${id}`)).state)) {
    await sleep(100);
  }
  const text = { type: ['string', 'null'] };
  const properties = { invoice_number: text, invoice_date: text, due_date: text, total: { type: ['number', 'null'] } };
  const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  const { schema_id } = await ask<Schema>('/schemas', {
    name: 'Invoice',
    response_format: { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } },
  });
  // Of a sampled document, every value is to check.
  const review_policy = { confirm_below: 0.1, sample: 1 };
  const prompt = { name: 'Invoice', content: 'Read it.', schema_id, review_policy };
  const { prompt_revid } = await ask<Prompt>('/prompts', prompt);
  await ask<Extraction>(`/documents/${id}/extractions`, { prompt_revid });
  return await leased(ask, id);
}

async function leased(ask: Laboratory['ask'], id: string): Promise<string> {
  const { items } = await ask<{ items: unknown[] }>(`/review?document_id=${id}`);
  if (items.length === 0) throw new Error('The invoice has no value to check.');
  return id;
}

interface Load {
  path: string;
  sights: Record<string, string>;
  isSlow: boolean;
}

async function load(browser: Browser, { url }: Laboratory, { path: address, sights, isSlow }: Load) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    await signIn(context, url);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const wire = await watchWire(session);
    const seen: Record<string, Sight> = {};
    const all = Promise.withResolvers<void>();
    await page.exposeBinding('sighted', (_source, name: string, ms: number) => {
      seen[name] = { ms: Math.round(ms), kilobytes: Math.round(wire.bytes / 1000), requests: wire.requests };
      if (Object.keys(seen).length === Object.keys(sights).length) all.resolve();
    });
    await page.addInitScript(watchSights(sights));
    if (isSlow) await slowDown(session);
    await page.goto(url + address, { waitUntil: 'commit', timeout: maxMs });
    const timer = setTimeout(
      () => all.reject(new Error(`${address} showed only: ${Object.keys(seen).join(', ')}`)),
      maxMs,
    );
    await all.promise.finally(() => clearTimeout(timer));
    return seen;
  } finally {
    await context.close();
  }
}

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const { email, password } = account;
  const answer = await context.request.post(`${url}/v0/auth/login`, {
    data: { email, password },
    headers: { origin: url },
  });
  if (!answer.ok()) throw new Error(`The browser could not sign in: ${await answer.text()}`);
}

/** Counts bytes with their headers as they arrive, and requests that have an answer. */
async function watchWire(session: CDPSession): Promise<{ bytes: number; requests: number }> {
  const wire = { bytes: 0, requests: 0 };
  const counted = new Map<string, number>();
  const add = (requestId: string, bytes: number) => {
    wire.bytes += bytes;
    counted.set(requestId, (counted.get(requestId) ?? 0) + bytes);
  };
  session.on('Network.responseReceived', ({ requestId, response }) => {
    wire.requests += 1;
    add(requestId, response.encodedDataLength);
  });
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => add(requestId, encodedDataLength));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    add(requestId, Math.max(0, encodedDataLength - (counted.get(requestId) ?? 0)));
  });
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  return wire;
}

async function slowDown(session: CDPSession): Promise<void> {
  const bytesPerSecond = (slow.kilobitsPerSecond * 1000) / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: slow.delayMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: slow.processor });
}

/** Reports each sight once, at the frame that shows it. A page is drawn when its canvas has a size and its picture has gone. */
function watchSights(sights: Record<string, string>): string {
  return `{
    const wanted = new Map(Object.entries(${JSON.stringify(sights)}));
    addEventListener('load', ({ target }) => {
      if (target instanceof HTMLImageElement) target.dataset.loaded = '';
    }, true);
    const look = () => {
      for (const image of document.images) if (image.complete && image.naturalWidth > 0) image.dataset.loaded = '';
      if (document.querySelector('img[alt="Page 1"]') === null) {
        for (const canvas of document.querySelectorAll('canvas')) if (canvas.width > 300) canvas.dataset.drawn = '';
      }
      for (const [name, selector] of wanted) {
        const found = [...document.querySelectorAll(selector)].some((each) => each.checkVisibility({ visibilityProperty: true }));
        if (!found) continue;
        wanted.delete(name);
        sighted(name, performance.now());
      }
      if (wanted.size > 0) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }`;
}
