import fs from 'node:fs';
import path from 'node:path';
import { unzipSync } from 'fflate';
import type { Document, Extraction, Prompt } from '@docwright/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsOn } from '../browser/axe.ts';
import { chromiumPath, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openDesk, strictObject, type Desk } from '../browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const invoice = fs.readFileSync(path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf'));
const orNull = (type: string, description: string, more = {}) => ({ type: [type, 'null'], description, ...more });

describe.skipIf(chromiumPath === undefined)('values filled and checked by hand', () => {
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;
  let document: Document;
  let prompt: Prompt;
  const place = () => `/documents/${document.id}/extractions/${prompt.prompt_revid}`;
  const stored = () => desk.call<Extraction>('GET', place());
  const change = async (field: string, value: unknown) => {
    const { version } = await stored();
    await desk.call('PATCH', place(), { path: field, value, base_version: version });
  };
  const control = (field: string) => desk.page.locator(`[data-control="${field}"]`);

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    desk = await openDesk(browser, product);
    prompt = await desk.prompt('Invoice', {
      invoice_number: orNull('string', 'Invoice number'),
      invoice_date: orNull('string', 'Invoice date', { format: 'date' }),
      total: orNull('number', 'Invoice total', { minimum: 0 }),
      paid: orNull('boolean', 'Whether it is paid'),
      line_items: {
        type: 'array',
        items: strictObject({ description: orNull('string', 'Description'), amount: orNull('number', 'Amount') }),
      },
    });
    document = await desk.upload('invoice.pdf', invoice);
    await desk.read(document);
    await desk.extract(document, prompt);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('are checked against the schema while the user types, and saved by keyboard', async () => {
    const { page } = desk;
    await desk.open(document, '?tab=forms');
    await control('total').fill('twelve');
    await page.getByText('Enter a number, such as 1,234.50.').waitFor();
    await control('total').fill('-1');
    await page.getByText('Must be 0 or more.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('One field is invalid.').waitFor();
    await keepScreenshot(page, 'form-problem');
    expect(await violationsOn(page, ['wcag2a', 'wcag2aa', 'wcag22aa'])).toEqual([]);
    await control('total').fill('120.50');
    await control('paid').selectOption({ label: 'Yes' });
    await control('invoice_date').fill('2026-01-31');
    await page.getByRole('button', { name: 'Add a row' }).click();
    await page.keyboard.type('By hand');
    await page.keyboard.press('Tab');
    await page.keyboard.type('7');
    await page.getByRole('button', { name: 'Row 1 of Line items' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.keyboard.press('Control+s');
    await page.getByText('All saved').waitFor();
    const { result } = await stored();
    expect(result).toMatchObject({ total: 120.5, paid: true, invoice_date: '2026-01-31' });
    const { line_items: rows } = result as { line_items: unknown[] };
    expect(rows).toHaveLength(3);
    expect(rows.at(-1)).toEqual({ description: 'By hand', amount: 7 });
  });

  it('are not lost when the user leaves the page, or when another user saves in between', async () => {
    const { page } = desk;
    await control('invoice_number').fill('MINE-1');
    await control('total').fill('50');
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Documents', exact: true }).click();
    await page.getByRole('link', { name: 'invoice.pdf' }).first().waitFor();
    await change('total', 77);
    await desk.open(document, '?tab=forms');
    await page.getByText('Your unsaved changes were restored.').waitFor();
    expect(await control('invoice_number').inputValue()).toBe('MINE-1');
    await page.getByText('It is now: 77').waitFor();
    await keepScreenshot(page, 'form-conflict');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    // Another window saves another field first: no conflict, nothing lost.
    await change('paid', false);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('All saved').waitFor();
    expect((await stored()).result).toMatchObject({ invoice_number: 'MINE-1', total: 77, paid: false });
  });

  it('change on an open page, except for an edit in progress', async () => {
    const { page } = desk;
    await desk.open(document);
    await page.getByRole('button', { name: 'Invoice number: MINE-1' }).dblclick();
    const editor = page.getByRole('textbox', { name: 'Invoice number' });
    await editor.fill('half typ');
    await change('total', 88);
    await page.getByRole('button', { name: 'Total: 88.00' }).waitFor();
    expect(await editor.inputValue()).toBe('half typ');
    await page.reload();
    expect(await editor.inputValue()).toBe('half typ');
    await editor.press('Escape');
    await page.getByRole('button', { name: 'Invoice number: MINE-1' }).waitFor();
  });

  it('are exported as CSV that a spreadsheet reads without running formulas', async () => {
    const { page } = desk;
    await change('invoice_number', '=HYPERLINK("http://example.org")');
    await page.getByRole('button', { name: /^Invoice number: =HYPERLINK/u }).waitFor();
    const save = async (name: string) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name, exact: true }).click(),
      ]);
      return { name: download.suggestedFilename(), content: fs.readFileSync(await download.path()) };
    };
    const fields = await save('Download CSV: Fields');
    expect(fields.name).toBe('invoice fields.csv');
    expect(fields.content.toString('utf8')).toBe(
      '\uFEFFinvoice_number,invoice_date,total,paid\r\n"\'=HYPERLINK(""http://example.org"")",2026-01-31,88,false',
    );
    const all = await save('All as CSV, in a ZIP');
    expect(Object.keys(unzipSync(all.content))).toEqual(['fields.csv', 'line_items.csv']);
  });
});
