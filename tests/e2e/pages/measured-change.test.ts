import fs from 'node:fs';
import path from 'node:path';
import type { Evaluation, Extraction, Prompt } from '@docwright/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsInBothThemes } from '../browser/axe.ts';
import { chromiumPath, followLink, keepScreenshot, launchBrowser, showTheme } from '../browser/browser.ts';
import { openDesk, type Desk } from '../browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const invoice = fs.readFileSync(path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf'));

describe.skipIf(chromiumPath === undefined)('a change to a prompt', () => {
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;
  let prompt: Prompt;
  let documentId: string;

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    desk = await openDesk(browser, product);
    prompt = await desk.prompt('Invoice', {
      invoice_number: { type: ['string', 'null'], description: 'Invoice number' },
      invoice_date: { type: ['string', 'null'], description: 'Invoice date' },
    });
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  const keepLooks = async (name: string) => {
    const { page } = desk;
    const keep = (theme: string) => keepScreenshot(page, `${name}-${theme}`);
    expect(await violationsInBothThemes(page, ['wcag2a', 'wcag2aa', 'wcag22aa'], keep)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await keepScreenshot(page, `${name}-phone`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1280, height: 800 });
    await showTheme(page, 'light');
  };

  it('says how to enable measurement while nothing is verified', async () => {
    await followLink(desk.page, `/prompts/${prompt.prompt_id}/try`);
    await desk.page.getByText('Nothing verified yet').waitFor();
    expect(await desk.page.getByRole('button', { name: 'Measure' }).isDisabled()).toBe(true);
  });

  it('is measured against verified results, and saved as a version', async () => {
    const { page } = desk;
    const document = await desk.upload('invoice.pdf', invoice);
    await desk.read(document);
    documentId = document.id;
    await desk.extract(document, prompt);
    const place = `/documents/${document.id}/extractions/${prompt.prompt_revid}`;
    const { version } = await desk.call<Extraction>('GET', place);
    await desk.call('PATCH', place, { path: 'invoice_number', value: 'BY-HAND-1', base_version: version });
    await desk.call('PUT', `${place}/verification`, { is_verified: true, seen: true });

    await followLink(page, `/prompts/${prompt.prompt_id}`);
    await page.getByRole('link', { name: 'Accuracy', exact: true }).click();
    await page.getByRole('img', { name: 'Accuracy by version: 1: 50.0%' }).waitFor();
    await page.getByRole('row', { name: 'Invoice number 1 0 of 1 0 0.0%' }).waitFor();
    await keepLooks('prompt-accuracy');

    await page.getByRole('link', { name: 'Try a change' }).click();
    await page.getByText(/Not measured\. 1 verified document, about \d+ SPU\./u).waitFor();
    await page.getByLabel('Content').fill('Extract the values as they are printed.');
    await page.getByText(/about \d+ SPU/u).waitFor();
    await page.getByRole('button', { name: 'Measure' }).click();
    await page.getByText('1 document: 0 fixed, 0 broken, 50.0% → 50.0%').waitFor();
    // The tried change and its result survive a reload.
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText('1 document: 0 fixed, 0 broken, 50.0% → 50.0%').waitFor();
    expect(await page.getByLabel('Content').inputValue()).toBe('Extract the values as they are printed.');
    await keepLooks('try-a-change');
    await page.getByLabel('Content').fill('Extract the values exactly.');
    await page.getByText('Out of date').waitFor();
    await page.getByRole('button', { name: 'Save as version 2' }).click();
    await page.getByText('Saved as version 2.').waitFor();
    await page.getByText('Extract the values exactly.').first().waitFor();
  });

  it('leads from a difference to the document, with both values at their places', async () => {
    const { page } = desk;
    const body = { prompt_id: prompt.prompt_id, content: 'Read it badly.' };
    const { id } = await desk.call<Evaluation>('POST', '/evaluations', body);
    await expect
      .poll(async () => (await desk.call<Evaluation>('GET', `/evaluations/${id}`)).state, { timeout: 30_000 })
      .toBe('completed');
    // The built-in model ignores the prompt's text, so the test makes up the difference.
    const [extraction] = (await desk.call<{ extractions: Extraction[] }>('GET', `/documents/${documentId}/extractions`))
      .extractions;
    const grounding = extraction!.grounding['invoice_date']!;
    const [box] = grounding.boxes;
    const lower = { ...box!, y0: box!.y0 + 0.05, y1: box!.y1 + 0.05 };
    const difference = {
      document_id: documentId,
      document_name: 'invoice.pdf',
      path: 'invoice_date',
      field: 'invoice_date',
      truth: '2019-11-15',
      before: '2019-11-15',
      after: '2019-12-15',
      absent: [],
      kind: 'broken',
      prompt_revid: extraction!.prompt_revid,
      grounding,
      after_grounding: { ...grounding, boxes: [lower] },
    };
    const differences = { differences: [difference], total_count: 1, skip: 0, limit: 50 };
    await page.route(`**/evaluations/${id}/differences*`, (route) => route.fulfill({ json: differences }));
    await followLink(page, `/prompts/${prompt.prompt_id}/try?evaluation=${id}`);
    await page
      .getByRole('row', { name: /invoice_date .* broken/u })
      .getByRole('link')
      .click();
    const bar = page.getByRole('region', { name: 'Value that differs' });
    await bar.getByText('Verified').waitFor();
    await page.locator('[data-mark="invoice_date"]').first().waitFor();
    await page.locator('[data-mark="invoice_date after the change"]').first().waitFor();
    await keepLooks('difference-on-page');
    await bar.getByRole('button', { name: 'Show the document as it is' }).click();
    await bar.waitFor({ state: 'detached' });
    expect(await page.locator('[data-mark="invoice_date after the change"]').count()).toBe(0);
  });

  it('follows the organization’s setting for measurements', async () => {
    const { page } = desk;
    await followLink(page, '/settings?section=organization');
    const form = page.getByRole('form', { name: 'Measured changes' });
    await form.getByLabel('Measure changes before they are approved').selectOption({ label: 'Always' });
    await form.getByLabel('Limit for one measurement, in SPU').fill('40');
    await keepLooks('settings-measuring');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await desk.call('GET', '')).toMatchObject({ evaluate_before_approval: 'auto', evaluation_budget_spu: 40 });
  });
});
