import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, keepScreenshot, launchBrowser } from './browser.ts';
import { openInvoice, say, waitingCard } from './chat-page.ts';
import { startProduct, type Product } from './product.ts';

describe.skipIf(chromiumPath === undefined)('decisions about what the agent proposes', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startProduct(), launchBrowser()]);
    page = await openInvoice(browser, product);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('stand again after a reload, and a rejection keeps its reason', async () => {
    await say(page, 'create a schema for this invoice and extract it');
    await waitingCard(page, 'Create schema').waitFor();
    await page.reload();
    await waitingCard(page, 'Create schema').waitFor();
    await page.keyboard.press('n');
    await page.getByLabel('Why? The agent reads it.').fill('We have one already');
    await keepScreenshot(page, 'decision-reason');
    await page.keyboard.press('Enter');
    const rejected = page.locator('[data-card][data-state="rejected"]');
    await rejected.getByText('We have one already').waitFor();
  });

  it('may change the arguments first, held against the tool’s schema', async () => {
    await page.getByRole('button', { name: 'New conversation', exact: true }).last().click();
    await say(page, 'create a tag called Urgent');
    await waitingCard(page, 'Create tag').waitFor();
    await page.keyboard.press('e');
    const editor = page.getByRole('textbox', { name: 'Arguments' });
    await editor.fill('{ "name": 7 }');
    await page.getByText(/^name: /u).waitFor();
    expect(await page.getByRole('button', { name: 'Approve with these' }).isDisabled()).toBe(true);
    await editor.fill('{ "name": "Very urgent" }');
    await page.getByText('The arguments fit the tool.').waitFor();
    await keepScreenshot(page, 'decision-arguments');
    await page.getByRole('button', { name: 'Approve with these' }).click();
    await page.locator('[data-state="done"]').getByText('Very urgent').first().waitFor();
  });

  it('may be made once for all: the next call runs unasked, and the page says so', async () => {
    await say(page, 'create a tag called Paid');
    const card = waitingCard(page, 'Create tag');
    await card.getByRole('button', { name: 'Always allow' }).click();
    await page.getByRole('menuitem', { name: 'For this document' }).click();
    await page.getByRole('button', { name: /Unasked: Create tag/u }).waitFor();
    await say(page, 'create a tag called Archived');
    await page.locator('[data-state="done"]').getByText('Archived').first().waitFor();
    await keepScreenshot(page, 'decision-unasked');
  });

  it('can be taken back with the turn', async () => {
    await page
      .getByRole('button', { name: /What this turn changed/u })
      .last()
      .click();
    await page.getByRole('button', { name: 'Undo all of it' }).click();
    await page.getByText('Taken back. The conversation stays as a record.').waitFor();
    await keepScreenshot(page, 'decision-undone');
  });
});
