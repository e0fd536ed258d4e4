import type { Document, Extraction, Prompt } from '@docwright/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, followLink, keepScreenshot, launchBrowser, showTheme } from '../browser/browser.ts';
import { openDesk, type Desk } from '../browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const letters = Array.from({ length: 26 }, (_, index) => `letter-${String(index).padStart(2, '0')}.txt`);
const others = ['alpha.txt', 'zulu.txt'];

describe.skipIf(chromiumPath === undefined)('bulk actions', () => {
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;
  const names = async () => {
    const { documents } = await desk.call<{ documents: Document[] }>('GET', '/documents?limit=100&sort=document_name');
    return documents.map(({ document_name }) => document_name);
  };

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    desk = await openDesk(browser, product);
    const content = Buffer.from('Invoice number: INV-1\nTotal: 5\n').toString('base64');
    await desk.call('POST', '/documents', { documents: [...letters, ...others].map((name) => ({ name, content })) });
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('change exactly the documents that the search finds, on all pages, and can be undone', async () => {
    const { page } = desk;
    await followLink(page, '/?q=letter&sort=document_name&page=2');
    await page.getByRole('link', { name: 'letter-25.txt' }).waitFor();
    await page.getByLabel('Select all on this page').check();
    await page.getByText('6 selected').waitFor();
    await page.getByRole('button', { name: 'Select all 26 matching “letter”' }).click();
    await page.getByText('All 26 documents matching “letter”').waitFor();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog', { name: 'Delete 26 documents?' }).getByText('matching “letter”').waitFor();
    await page.getByRole('button', { name: 'Delete 26 documents' }).click();
    await page.getByText('Deleted 26 documents.').waitFor();
    expect(await names()).toEqual(others);
    await keepScreenshot(page, 'bulk-deleted');
    await page.getByRole('button', { name: 'Undo' }).click();
    const undone = page.getByText('Undone for 26 documents.');
    await undone.waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByLabel('Select letter-25.txt').setChecked(true);
      // A trial click fails if the message covers the bar.
      await page.getByRole('button', { name: 'Extract…' }).click({ trial: true });
      expect(await undone.isVisible()).toBe(true);
    }
    await keepScreenshot(page, 'bulk-bar-390');
    expect((await page.getByRole('link', { name: 'letter-25.txt' }).boundingBox())?.width).toBeGreaterThan(80);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await names()).toEqual(['alpha.txt', ...letters, 'zulu.txt']);
  });

  it('show a deleted document in the trash, from where it is restored', async () => {
    const { page } = desk;
    await followLink(page, '/?q=zulu');
    await page.getByRole('button', { name: 'Actions for zulu.txt' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    // The link moves up when the row is gone.
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByText('zulu.txt').first().waitFor();
    for (const theme of ['light', 'dark'] as const) {
      await showTheme(page, theme);
      await keepScreenshot(page, `trash-${theme}`);
    }
    await page.getByRole('button', { name: 'Restore zulu.txt' }).click();
    await page.getByText('The trash is empty').waitFor();
    expect(await names()).toContain('zulu.txt');
  });

  it('extract, and never replace corrected values', async () => {
    const { page } = desk;
    const made = await desk.prompt('Numbers', { invoice_number: { type: ['string', 'null'], description: 'Number' } });
    const { tag_id } = await desk.call<{ tag_id: string }>('POST', '/tags', { name: 'Numbered' });
    const prompt = await desk.call<Prompt>('PUT', `/prompts/${made.prompt_id}`, { tag_ids: [tag_id] });
    const { documents } = await desk.call<{ documents: Document[] }>('GET', '/documents?name_search=alpha');
    const [document] = documents as [Document];
    await desk.read(document);
    await desk.call('PATCH', `/documents/${document.id}`, { tag_ids: [tag_id] });
    const { version } = await desk.extract(document, prompt);
    const path = `/documents/${document.id}/extractions/${prompt.prompt_revid}`;
    await desk.call('PATCH', path, { path: 'invoice_number', value: 'BY HAND', base_version: version });
    await followLink(page, '/?q=alpha');
    await page.getByLabel('Select alpha.txt').check();
    await page.getByRole('button', { name: 'Extract…' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Extract/u })
      .click();
    await page.getByText(/kept, with corrected or verified values/u).waitFor();
    const { result } = await desk.call<Extraction>('GET', path);
    expect(result).toEqual({ invoice_number: 'BY HAND' });
    // Results of prompts with the same name have distinct labels.
    const namesake = await desk.prompt('Numbers', { total: { type: ['number', 'null'], description: 'Total' } });
    await desk.extract(document, namesake);
    await desk.open(document);
    await page.getByRole('button', { name: /^Prompt: Numbers · /u }).click();
    const choices = await page.getByRole('menuitemradio', { name: /^Numbers · /u }).allTextContents();
    expect(new Set(choices).size).toBe(2);
  });
});
