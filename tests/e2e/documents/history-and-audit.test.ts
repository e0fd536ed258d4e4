import type { Document, Prompt } from '@docwright/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOn } from '../browser/axe.ts';
import { chromiumPath, followLink, keepScreenshot, launchBrowser, showTheme } from '../browser/browser.ts';
import { openDesk, type Desk } from '../browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

describe.skipIf(chromiumPath === undefined)('history and audit', () => {
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;
  let document: Document;
  let prompt: Prompt;

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    desk = await openDesk(browser, product);
    document = await desk.upload('invoice.txt', Buffer.from('Invoice number: INV-1\nTotal: 16.9\n'));
    await desk.read(document);
    prompt = await desk.prompt('Numbers', {
      invoice_number: { type: ['string', 'null'], description: 'Number' },
      total: { type: ['number', 'null'], description: 'Total' },
    });
    const { version } = await desk.extract(document, prompt);
    await desk.call('PATCH', `/documents/${document.id}/extractions/${prompt.prompt_revid}`, {
      path: 'invoice_number',
      value: 'BY HAND',
      base_version: version,
    });
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('show earlier values and restore them', async () => {
    const { page } = desk;
    await desk.open(document, '?tab=extraction');
    await page.getByRole('button', { name: 'Invoice number: BY HAND' }).focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate('document.activeElement?.ariaLabel')).toBe('Total: 16.90');
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'History…' }).click();
    const dialog = page.getByRole('dialog', { name: 'History of this result' });
    await dialog.getByText('BY HAND').waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await showTheme(page, theme);
      await keepScreenshot(page, `history-${theme}`);
    }
    await dialog.getByRole('button', { name: 'Restore version 1' }).click();
    await dialog.getByText('Restored from version 1').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Invoice number: INV-1' }).waitFor();
  });

  it('list the user, the action and its channel, also for one document and as CSV', async () => {
    const { page } = desk;
    await followLink(page, `/audit?document=${document.id}`);
    const rows = page.getByRole('table', { name: 'entries' }).getByRole('row');
    await expect.poll(() => rows.count()).toBeGreaterThan(2);
    await page.getByRole('cell', { name: 'Web app or API' }).first().waitFor();
    expect(await violationsOn(page, ['wcag2a', 'wcag2aa', 'wcag22aa'])).toEqual([]);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await keepScreenshot(page, `audit-${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await followLink(page, '/audit');
    await page.getByRole('button', { name: 'Tool: Any tool' }).click();
    await page.getByRole('menuitemradio', { name: 'Change a field' }).click();
    await expect.poll(() => page.url()).toContain('tool=update_extraction_field');
    const shown = page.getByRole('table', { name: 'entries' });
    await expect.poll(() => shown.getByText('Run the extraction').count()).toBe(0);
    await expect.poll(() => shown.getByText('Change a field').count()).toBeGreaterThan(0);
    await keepScreenshot(page, 'audit-one-tool');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^audit-.*\.csv$/u);
  });
});
