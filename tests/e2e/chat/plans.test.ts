import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser } from '../browser/browser.ts';
import { openInvoice, say, waitingCard } from './chat-page.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

describe.skipIf(chromiumPath === undefined)('a plan', () => {
  let browser: Browser;
  let product: SharedProduct;

  beforeAll(async () => {
    [browser, product] = await Promise.all([launchBrowser(), shareProduct()]);
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('leads from an upload to its values with one decision, by the keyboard', async () => {
    const page = await openInvoice(browser, product);
    await say(page, 'create a schema for this invoice and extract it, as a plan');
    const card = waitingCard(page, 'Plan');
    await card.getByRole('button', { name: 'Approve 3 steps' }).waitFor({ timeout: 60_000 });
    await card.locator('[data-step="extraction"]').waitFor();
    expect(await card.locator('[data-step]').count()).toBe(3);
    // Skipping the first step skips its dependent steps; the card names them first.
    await card.locator('[data-step="schema"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await card.getByText('Step 3 needs its result and is skipped too.').waitFor();
    await card.getByRole('button', { name: 'Skip 2 steps' }).click();
    await card.getByRole('button', { name: 'Approve 1 step' }).waitFor();
    await page.keyboard.press('x');
    await card.getByRole('button', { name: 'Approve 3 steps' }).waitFor();
    await card.focus();
    await page.keyboard.press('y');
    await page.getByText('I made the schema').waitFor({ timeout: 60_000 });
    expect(await page.locator('[data-card][data-state="done"]').filter({ hasText: 'Run the extraction' }).count()).toBe(
      1,
    );
    expect(await page.locator('[data-card][data-state="waiting"]').count()).toBe(0);
    // The card stays as a record with links to the results, also after a reload.
    await page.reload();
    await page.getByRole('button', { name: /Plan .*3 of 3 done/u }).click();
    await page.getByRole('link', { name: 'Open the schema' }).waitFor();
    await page.getByRole('link', { name: 'Open the prompt' }).waitFor();
  }, 150_000);
});
