import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { chromiumPath, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { password, shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const invoice = path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf');

describe.skipIf(chromiumPath === undefined)('by keyboard alone, from sign-in to verified values', () => {
  let product: SharedProduct;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    page.setDefaultTimeout(45_000);
    // Intercepts file dialogs from here on: a key opens one immediately.
    page.on('filechooser', () => undefined);
    await page.goto(product.url);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  /** Presses Tab until the element has focus; fails if it never gets focus. */
  async function tabTo(wanted: Locator, key = 'Tab'): Promise<void> {
    await wanted.waitFor();
    for (let presses = 0; presses < 40; presses += 1) {
      if ((await wanted.and(page.locator(':focus')).count()) === 1) return;
      await page.keyboard.press(key);
    }
    throw new Error(`No ${key} leads to ${wanted.toString()}.`);
  }

  it('signs in, uploads and opens the document', async () => {
    await tabTo(page.getByLabel('E-mail'));
    await page.keyboard.type(product.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByText('No documents yet').waitFor();
    await tabTo(page.getByRole('button', { name: 'Upload' }).first());
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
    await chooser.setFiles(invoice);
    await tabTo(page.getByRole('link', { name: 'contoso-invoice.pdf' }).first());
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'contoso-invoice.pdf' }).waitFor();
  });

  it('asks the agent and approves its three calls', async () => {
    await tabTo(page.getByRole('tab', { name: 'Extraction' }));
    await page.keyboard.press('End');
    await tabTo(page.getByLabel('Message to the agent'));
    await page.keyboard.type('create a schema for this invoice and extract it');
    await page.keyboard.press('Enter');
    for (const name of ['Create schema', 'Create prompt', 'Run the extraction']) {
      await page.locator('[data-card][data-state="waiting"]').filter({ hasText: name }).waitFor();
      await page.keyboard.press('y');
    }
    await page.getByRole('log').getByText('INV-100').first().waitFor();
  });

  it('goes through the values, corrects one, and marks them as verified', async () => {
    await tabTo(page.getByRole('tab', { name: 'Agent' }), 'Shift+Tab');
    await page.keyboard.press('Home');
    await tabTo(page.getByRole('button', { name: /^Invoice number: INV-100/iu }));
    await page.keyboard.press('Enter');
    await page.locator('[data-mark][data-active]').waitFor();
    await page.keyboard.press('F2');
    await page.keyboard.type('INV-101');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Invoice number: INV-101/iu }).waitFor();
    await tabTo(page.getByRole('button', { name: 'Verify' }), 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Verified' }).waitFor();
    await keepScreenshot(page, 'keyboard-verified');
  });

  it('shows the keys, finds anything, and goes to the next document and back', async () => {
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Previous and next document').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+ArrowRight');
    await page.getByText('This is the last document of the list.').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('contoso');
    await page.getByRole('dialog').getByText('contoso-invoice.pdf').first().waitFor();
    await page.keyboard.press('Escape');
  });
});
