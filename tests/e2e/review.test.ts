import fs from 'node:fs';
import path from 'node:path';
import type { Extraction, Prompt, ReviewQueue, Schema } from '@docwright/contract';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, keepScreenshot, launchBrowser, showTheme } from './browser.ts';
import { openDesk, strictObject, type Desk } from './document-setup.ts';
import { shareProduct, type SharedProduct } from './shared-product.ts';

const invoice = fs.readFileSync(path.resolve(import.meta.dirname, '../corpus/contoso-invoice.pdf'));
const nullable = (type: string) => ({ type: [type, 'null'] });
const fields = strictObject({
  invoice_number: nullable('string'),
  invoice_date: nullable('string'),
  due_date: nullable('string'),
  purchase_order: nullable('string'),
  total: nullable('number'),
  subtotal: nullable('number'),
  tax: nullable('number'),
  vendor_name: nullable('string'),
  customer_name: nullable('string'),
  customer_id: nullable('string'),
});

describe.skipIf(chromiumPath === undefined)('reviewing', () => {
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    desk = await openDesk(browser, product);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('confirms 50 values of five documents in 50 key strokes', async () => {
    const { page } = desk;
    const schema = await desk.call<Schema>('POST', '/schemas', {
      name: 'Invoice',
      response_format: { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema: fields } },
      checks: [
        { id: 'gross', expression: 'total > subtotal + 1000.0', message: 'The total is small', severity: 'warning' },
      ],
    });
    const prompt = await desk.call<Prompt>('POST', '/prompts', {
      name: 'Invoice',
      content: 'Extract the invoice.',
      schema_id: schema.schema_id,
    });
    const urls: string[] = [];
    for (const name of ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf']) {
      const document = await desk.upload(name, invoice);
      await desk.read(document);
      await desk.call<Extraction>('POST', `/documents/${document.id}/extractions`, {
        prompt_revid: prompt.prompt_revid,
      });
      urls.push(`/documents/${document.id}/extractions/${prompt.prompt_revid}`);
    }
    await page.goto(`${product.url}/review`);
    await page.getByText('of 50 values').waitFor();
    await page.locator('canvas').first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await showTheme(page, colorScheme);
      await keepScreenshot(page, `review-${colorScheme}`);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await keepScreenshot(page, 'review-390');
    await page.setViewportSize({ width: 1280, height: 800 });

    for (let pressed = 1; pressed <= 50; pressed += 1) {
      await page.keyboard.press('Enter');
      // The next document comes by itself.
      if (pressed < 50) await page.getByText(new RegExp(`^${pressed} of \\d+ values`, 'u')).waitFor();
    }
    await page.getByText('Nothing to check').waitFor();
    for (const url of urls) {
      // The last decisions may still be on their way.
      await expect.poll(async () => (await desk.call<Extraction>('GET', url)).is_verified).toBe(true);
    }
    expect(await desk.call<ReviewQueue>('GET', '/review')).toMatchObject({ values: 0, documents: 0 });
  }, 120_000);
});
