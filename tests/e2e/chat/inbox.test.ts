import fs from 'node:fs';
import path from 'node:path';
import type { Run, Tag } from '@docwright/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsInBothThemes } from '../browser/axe.ts';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openDesk, type Desk } from '../browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const invoice = fs.readFileSync(path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf'));

describe.skipIf(chromiumPath === undefined)('the inbox', () => {
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

  it('shows the pending calls of a run as one decision by keyboard, after which the run continues', async () => {
    const { page } = desk;
    const documents = await Promise.all(['a.pdf', 'b.pdf'].map((name) => desk.upload(name, invoice)));
    for (const document of documents) await desk.read(document);
    await followLink(page, '/inbox');
    await page.getByText('Nothing waits for you').waitFor();
    await keepScreenshot(page, 'inbox-empty');

    const document_ids = documents.map(({ id }) => id);
    const start = (message: string) => desk.call<Run>('POST', '/runs', { document_ids, message, on_ask: 'park' });
    const run = await start('create a tag called Checked');
    const decisions = page.getByRole('region', { name: 'Decisions that wait' }).getByRole('listitem');
    // A call that comes while the card is shown is not chosen by itself.
    const chooseBoth = async () => {
      for (const name of ['a.pdf', 'b.pdf']) {
        await page.getByRole('checkbox', { name: `Decide on ${name}` }).waitFor({ timeout: 60_000 });
      }
      await page.getByRole('checkbox', { name: 'All documents' }).check();
      await page.getByRole('button', { name: 'Approve 2' }).waitFor();
    };
    await page.getByText('1 decision, 2 changes wait for you').waitFor({ timeout: 60_000 });
    expect(await decisions.count()).toBe(1);
    await chooseBoth();
    const { tags: before } = await desk.call<{ tags: Tag[] }>('GET', '/tags');
    expect(before).toEqual([]);

    const keep = (theme: string) => keepScreenshot(page, `inbox-${theme}`);
    expect(await violationsInBothThemes(page, undefined, keep)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    await keepScreenshot(page, 'inbox-390-list');
    await decisions.getByRole('button').click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await keepScreenshot(page, 'inbox-390-card');
    await page.setViewportSize({ width: 1280, height: 800 });

    await page.keyboard.press('y');
    await page.getByText('Approved 2.').waitFor();
    await page.getByText('Nothing waits for you').waitFor();
    await expect
      .poll(() => desk.call<Run>('GET', `/runs/${run.id}`), { timeout: 30_000 })
      .toMatchObject({ state: 'completed', succeeded: 2, parked: 0 });

    await start('create a tag called Wrong');
    await chooseBoth();
    await page.getByRole('checkbox', { name: 'Decide on b.pdf' }).uncheck();
    await page.getByText('1 stays in the inbox').waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Why? The agent reads it.').fill('We have one already');
    await keepScreenshot(page, 'inbox-reject');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Rejected 1.').waitFor();
    await page.getByText('1 decision waits for you').waitFor();
    const { tags } = await desk.call<{ tags: Tag[] }>('GET', '/tags');
    expect(tags.filter(({ name }) => name === 'Wrong')).toEqual([]);
  });
});
