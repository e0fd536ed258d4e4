import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsInBothThemes, wcag22 } from '../browser/axe.ts';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openDesk, strictObject, type Desk } from '../browser/document-setup.ts';
import { startPacedModel, type PacedAnswer, type PacedModel } from '../browser/paced-model.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';
const question = {
  header: 'Supplier',
  questionText: 'Do you need the supplier, too?',
  options: [{ label: 'Yes' }, { label: 'No' }],
};

/** The model's answer, by the conversation so far. */
function answerTo(message: string, round: number, request: string): PacedAnswer {
  if (message.includes('image_url')) {
    const columnId = /added\W+id\W+([\w-]+)/u.exec(request)?.[1];
    return round === 0
      ? { calls: [{ name: 'edit_column', arguments: { columnId, updates: { name: 'Invoice number' } } }] }
      : { pieces: ['That ', 'is ', 'it.'], everyMs: 1 };
  }
  if (message.includes('article number')) {
    return round === 0
      ? { calls: [{ name: 'add_column', arguments: { name: 'Article number', table: 'lines' } }] }
      : { pieces: ['Added.'], everyMs: 1 };
  }
  if (round > 0) return { calls: [{ name: 'request_example_image', arguments: { message: 'One page, please.' } }] };
  return {
    calls: [
      { name: 'add_column', arguments: { name: 'Number', description: 'At the top' } },
      { name: 'add_column', arguments: { name: 'Total', type: 'currency' } },
      { name: 'ask_questions', arguments: { questions: [question] } },
    ],
  };
}

describe.skipIf(chromiumPath === undefined)('the schema designer', () => {
  let model: PacedModel;
  let product: SharedProduct;
  let desk: Desk;
  let page: Page;
  let close: () => Promise<void>;
  const requests: string[] = [];

  beforeAll(async () => {
    model = await startPacedModel((message, round, request) => {
      requests.push(request);
      return answerTo(message, round, request);
    });
    const [started, browser] = await Promise.all([shareProduct({ model }), launchBrowser()]);
    product = started;
    close = () => browser.close();
    desk = await openDesk(browser, product);
    page = desk.page;
  });
  afterAll(async () => {
    await close();
    await product.stop();
    model.stop();
  });

  const expectAccessible = async () => expect(await violationsInBothThemes(page, wcag22)).toEqual([]);

  it('shows proposals in the table, asks, looks at an image, and saves the approved columns', async () => {
    await followLink(page, '/schemas');
    await page.getByRole('link', { name: 'Design with the agent' }).first().click();
    await page.getByLabel('Message to the agent').fill('I have invoices');
    await page.keyboard.press('Enter');
    const table = page.getByRole('table', { name: 'Columns' });
    await table.getByRole('row', { name: 'Add “Number”' }).waitFor();
    await keepScreenshot(page, 'designer-proposed');
    await expectAccessible();
    await page.keyboard.press('y');
    await page.getByLabel('Name of Number').waitFor();
    await page.keyboard.press('n');
    await table.getByRole('row', { name: 'Add “Total”' }).waitFor({ state: 'detached' });
    await page.getByLabel('No', { exact: true }).check();
    await page.getByRole('button', { name: 'Answer' }).click();

    await page.getByText('One page, please.').waitFor();
    const image = { name: 'page.png', mimeType: 'image/png', buffer: await page.screenshot() };
    await page.locator('input[type=file][aria-label="Example image"]').setInputFiles(image);
    await page.getByAltText('What the agent will see').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Send to the agent' }).click();
    const change = table.getByRole('row', { name: 'Change “Number”: name' });
    await change.getByText('Invoice number').waitFor();
    const seen = requests.at(-1) ?? '';
    expect(seen).toContain('"type":"image_url"');
    expect(seen).toMatch(/User rejected this action/u);
    await keepScreenshot(page, 'designer-change');
    await change.getByRole('button', { name: /^Approve/u }).click();
    await page.getByText('That is it.').waitFor();

    await page.getByLabel('Name of the schema').fill('Invoice');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Invoice', exact: true }).waitFor();
    await page.getByRole('table', { name: 'Fields' }).getByText('Invoice number').waitFor();
    expect(await page.getByText('Total', { exact: true }).count()).toBe(0);
  });

  it('opens a schema again, explains the error of a pattern, and saves another version', async () => {
    await page.getByRole('link', { name: 'Open in designer' }).click();
    const pattern = page.getByLabel('Pattern of Invoice number');
    await pattern.fill('(?=INV)');
    await pattern.blur();
    await page.getByText(/The regex is refused/u).waitFor();
    await pattern.fill('^INV');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Version 2 · \d/u).waitFor();
  });

  it('edits lists of objects as tables of their own, and keeps the parts that are no columns', async () => {
    const lines = { type: 'array', items: strictObject({ amount: { type: 'number' } }) };
    const notes = { type: 'array', items: { type: 'string' } };
    const schema = strictObject({ number: { type: 'string' }, lines, notes });
    const { schema_id } = await desk.call<{ schema_id: string }>('POST', '/schemas', {
      name: 'Nested',
      response_format: { type: 'json_schema', json_schema: { name: 'nested', strict: true, schema } },
    });
    await followLink(page, `/schemas/${schema_id}/design`);
    const kept = page.getByRole('region', { name: 'Unchanged fields' });
    await kept.getByRole('heading', { name: 'notes' }).waitFor();
    const table = page.getByRole('region', { name: 'lines' });
    await table.getByLabel('Description of amount').fill('Net');
    await table.getByRole('button', { name: 'Add a column' }).click();
    // The cell of its name has the focus once it is there.
    await table.locator('[data-cell$=" name"]:focus').pressSequentially('unit');
    await page.getByLabel('Message to the agent').fill('add article number to lines');
    await page.keyboard.press('Enter');
    await table.getByRole('button', { name: 'Approve: Add “Article number” to “lines”' }).waitFor();
    await keepScreenshot(page, 'designer-kept');
    await table.getByRole('button', { name: 'Approve: Add “Article number” to “lines”' }).click();
    await table.getByLabel('Description of Article number').waitFor();
    await page.getByLabel('Description of number').fill('Of the invoice');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Version 2 · \d/u).waitFor();
    const { schemas } = await desk.call<{ schemas: object[] }>('GET', '/schemas?name_search=Nested');
    const items = strictObject({
      amount: { type: 'number', description: 'Net' },
      unit: { type: ['string', 'null'] },
      'Article number': {},
    });
    const properties = { lines: { type: 'array', items }, notes };
    expect(schemas).toMatchObject([
      { response_format: { json_schema: { schema: { required: ['number', 'lines', 'notes'], properties } } } },
    ]);
  });
});
