import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { startProduct, type Product } from '../../product/product.ts';

const invoice = path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf');

describe.skipIf(chromiumPath === undefined)('from the printed link to an approved extraction', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    [product, browser] = await Promise.all([startProduct(), launchBrowser()]);
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(45_000);
    page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('signs the owner in by the link, once', async () => {
    await page.goto(product.link);
    await page.getByText('Choose files').first().or(page.getByText('Upload').first()).waitFor();
    await page.getByRole('button', { name: 'Lab report' }).waitFor();
    await keepScreenshot(page, 'story-1-signed-in');
    const second = await fetch(product.link, { redirect: 'manual' });
    expect(second.headers.get('set-cookie')).toBeNull();
  });

  it('uploads the invoice and opens it', async () => {
    await page.getByRole('button', { name: 'Lab report' }).click();
    await page.getByRole('link', { name: 'Sample lab report.pdf' }).first().waitFor();
    await page.getByLabel('Files to upload').first().setInputFiles(invoice);
    const row = page.getByRole('link', { name: 'contoso-invoice.pdf' }).first();
    await row.waitFor();
    await expect.poll(() => page.getByLabel('First steps').getByLabel('Done').count()).toBe(1);
    await keepScreenshot(page, 'story-2-uploaded');
    await row.click();
    await page.locator('.react-pdf__Page canvas').first().waitFor();
    // The demo model can only read what has been read: on a busy machine it would ask for a moment.
    await expect.poll(() => wordAt(product, page, 'INV-100').catch(() => undefined)).toBeDefined();
    await keepScreenshot(page, 'story-3-document');
  });

  it('asks the agent, approves three cards and reads the extracted values', async () => {
    await page.getByRole('tab', { name: 'Agent' }).click();
    const message = page.getByLabel('Message to the agent');
    await message.fill('create a schema for this invoice and extract it');
    await page.getByRole('button', { name: 'Send' }).click();
    for (const [index, name] of ['Create schema', 'Create prompt', 'Run the extraction'].entries()) {
      const card = page.getByRole('region', { name: new RegExp(`^${name}`, 'i') }).last();
      await card.getByRole('button', { name: /^Approve/ }).click();
      await keepScreenshot(page, `story-4-card-${index + 1}`);
    }
    await page.getByRole('log').getByText('INV-100').first().waitFor();
    await keepScreenshot(page, 'story-5-summed-up');
  });

  it('shows every value at its place on the page', async () => {
    await page.getByRole('tab', { name: 'Extraction' }).click();
    const values = page.getByRole('region', { name: 'Extracted values' });
    await values.getByRole('button', { name: /^Invoice number: INV-100/i }).click();
    const mark = page.getByRole('button', { name: /Show the field Invoice number/i });
    const { x, y } = await center(mark);
    const { text, box } = await wordAt(product, page, 'INV-100');
    expect(text).toContain('INV-100');
    const pdf = await page.locator('.react-pdf__Page canvas').first().boundingBox();
    expect((x - pdf!.x) / pdf!.width).toBeCloseTo(box.x, 1);
    expect((y - pdf!.y) / pdf!.height).toBeCloseTo(box.y, 1);
    await keepScreenshot(page, 'story-6-grounded');
  });

  it('shows everything again after a reload, without an error in the browser’s console', async () => {
    await page.reload();
    await page.getByRole('button', { name: /^Invoice number: INV-100/i }).waitFor();
    await page.getByRole('tab', { name: 'Agent' }).click();
    await page.getByRole('log').getByText('INV-100').first().waitFor();
    expect(
      await page
        .getByRole('log')
        .getByRole('region', { name: /^Create schema/i })
        .count(),
    ).toBe(1);
    expect(complaints).toEqual([]);
  });
});

async function center(locator: ReturnType<Page['getByRole']>): Promise<{ x: number; y: number }> {
  await locator.waitFor();
  const box = await locator.boundingBox();
  if (box === null) throw new Error('The mark is not on the page.');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The place of a word as fractions of its page, from the API with the browser's session. */
async function wordAt(product: Product, page: Page, wanted: string) {
  const document = new URL(page.url()).pathname.split('/').at(-1);
  const me = await (await page.request.get(`${product.url}/v0/me`)).json();
  const place = `${product.url}/v0/orgs/${me.organizations[0].id}/documents/${document}`;
  const answer = await page.request.get(`${place}/words?page_num=1`);
  const { page: size, words } = await answer.json();
  const word = words.find(({ text }: { text: string }) => text.includes(wanted));
  const box = { x: (word.x0 + word.x1) / 2 / size.width, y: (word.y0 + word.y1) / 2 / size.height };
  return { text: word.text as string, box };
}
