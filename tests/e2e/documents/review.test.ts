import fs from 'node:fs';
import path from 'node:path';
import type { Extraction, Prompt, ReviewQueue, Schema } from '@docwright/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsInBothThemes } from '../browser/axe.ts';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openDesk, strictObject, type Desk } from '../browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const invoice = fs.readFileSync(path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf'));
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

/** Whether the first line of the current value can be seen. */
const isCurrentShown = `(() => {
  const row = document.querySelector('li[aria-current]');
  const { left, top } = row.getBoundingClientRect();
  return [4, 32].every((below) => row.contains(document.elementFromPoint(left + 20, top + below)));
})()`;

/** The parts of the page that are wider than their place. */
const cutParts = `[...document.querySelectorAll('header, footer, main, [role="toolbar"], [aria-label="Values to check"]')]
  .filter((part) => part.scrollWidth > part.clientWidth)
  .map((part) => (part.ariaLabel ?? part.tagName) + ' ' + part.scrollWidth + ' of ' + part.clientWidth)`;

/** Of a sampled document, every value is to check. */
const checkAll = { confirm_below: 0.1, sample: 1 };

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
      review_policy: checkAll,
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
    await followLink(page, '/review');
    await page.getByText('of 50 values').waitFor();
    await page.locator('canvas').first().waitFor();
    const keep = (theme: string) => keepScreenshot(page, `review-${theme}`);
    expect(await violationsInBothThemes(page, undefined, keep)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await keepScreenshot(page, 'review-390');
    // At a zoom of 200 % a window is as low as this: the value under decision is not hidden.
    for (const [width, height] of Object.entries({ 720: 450, 640: 360, 560: 400 })) {
      await page.setViewportSize({ width: Number(width), height });
      await expect.poll(() => page.evaluate(cutParts), { timeout: 10_000 }).toEqual([]);
      await expect.poll(() => page.evaluate(isCurrentShown), { timeout: 10_000 }).toBe(true);
    }
    await keepScreenshot(page, 'review-low');
    // At a zoom of 400 % the page as a whole scrolls.
    await page.setViewportSize({ width: 320, height: 256 });
    await page.locator('li[aria-current]').scrollIntoViewIfNeeded();
    await expect.poll(() => page.evaluate(isCurrentShown), { timeout: 10_000 }).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    const splitter = page.getByRole('slider', { name: 'Width of the panel' });
    const { x: before } = (await splitter.boundingBox())!;
    await splitter.focus();
    await page.keyboard.press('Home');
    await expect.poll(async () => (await splitter.boundingBox())!.x).toBeLessThan(before - 80);
    await page.getByRole('heading', { name: 'Review' }).click();
    // The editor runs the checks of the schema while one types.
    await goTo(page, 'Total');
    await page.keyboard.press('e');
    const current = page.locator('li[aria-current]');
    await current.getByRole('status').getByText('The total is small').waitFor();
    await current.getByLabel('Total').fill('99999');
    await current.getByText('Checks pass').waitFor();
    await keepScreenshot(page, 'review-checked-while-typed');
    await page.keyboard.press('Escape');
    await current.getByLabel('Total').waitFor({ state: 'detached' });
    await page.getByText('10 to check').waitFor();
    for (let pressed = 1; pressed <= 50; pressed += 1) {
      await page.keyboard.press('Enter');
      // The next document opens automatically.
      if (pressed < 50) await page.getByText(new RegExp(`^${pressed} of \\d+ values`, 'u')).waitFor();
      // Until its values are there, a key decides nothing.
      if (pressed < 50 && pressed % 10 === 0) await page.getByText('10 to check').waitFor();
    }
    await page.getByText('Nothing to check').waitFor();
    for (const url of urls) {
      // The last decisions can still be in flight.
      await expect.poll(async () => (await desk.call<Extraction>('GET', url)).is_verified).toBe(true);
    }
    expect(await desk.call<ReviewQueue>('GET', '/review')).toMatchObject({ values: 0, documents: 0 });
  }, 120_000);

  it('takes a value from a box on the page, and edits the rows of a table with the keyboard alone', async () => {
    const { page } = desk;
    const row = strictObject({ description: nullable('string'), amount: nullable('number') });
    const prompt = await desk.prompt('Rows', {
      due_date: { type: ['string', 'null'], format: 'date' },
      line_items: { type: 'array', items: row },
    });
    await desk.call('PUT', `/prompts/${prompt.prompt_id}`, { review_policy: checkAll });
    const document = await desk.upload('rows.pdf', invoice);
    await desk.read(document);
    const url = `/documents/${document.id}/extractions/${prompt.prompt_revid}`;
    await desk.extract(document, prompt);
    const before = (await desk.call<Extraction>('GET', url)).result as { line_items: object[] };
    expect(before.line_items.length).toBeGreaterThan(1);
    // The page that had nothing to check shows the new values by itself.
    const current = page.locator('li[aria-current]');
    await current.waitFor();
    await goTo(page, 'Due date');
    const words = await desk.call<{ page: { width: number; height: number }; words: WordBox[] }>(
      'GET',
      `/documents/${document.id}/words?page_num=1`,
    );
    // A date other than the due date, so that its place differs from the found one.
    const day = words.words.findLast(({ text }) => /^\d{1,2}\/\d{1,2}\/\d{4}$/u.test(text))!;
    const shown = page.locator('[data-page="1"]').first();
    await shown.locator('canvas').waitFor();
    const paper = (await shown.boundingBox())!;
    const at = (x: number, y: number) =>
      [paper.x + (x / words.page.width) * paper.width, paper.y + (y / words.page.height) * paper.height] as const;
    await page.mouse.move(...at(day.x0 - 2, day.y0 - 2));
    await page.mouse.down();
    await page.mouse.move(...at(day.x1, day.y1));
    await page.mouse.move(...at(day.x1 + 2, day.y1 + 2));
    await page.mouse.up();
    const editor = current.getByLabel('Due date');
    await editor.waitFor();
    const taken = await editor.inputValue();
    expect(taken).toMatch(/^\d{4}-\d{2}-\d{2}$/u);
    await page.locator('[data-picked]').first().waitFor();
    await keepScreenshot(page, 'review-drawn');
    await page.keyboard.press('Enter');
    const drawn = async () => (await desk.call<Extraction>('GET', url)).grounding['due_date'];
    await expect.poll(async () => (await drawn())?.drawn).toBe(true);
    const [place] = (await drawn())!.boxes;
    expect(place!.x0 * words.page.width).toBeCloseTo(day.x0, 0);
    expect(((await desk.call<Extraction>('GET', url)).result as { due_date: string }).due_date).toBe(taken);

    // The same by keyboard: the selection starts at the word of the value's place.
    await goTo(page, 'Line items 1 · Amount');
    await page.keyboard.press('b');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowRight');
    await page.locator('[data-picked]').first().waitFor();
    await page.keyboard.press('Enter');
    const amount = await current.getByLabel('Line items 1 · Amount').inputValue();
    expect(Number(amount)).toBe((before.line_items[0] as { amount: number }).amount);
    await page.keyboard.press('Escape');

    await page.keyboard.press('t');
    const table = page.getByRole('table', { name: 'Line items' });
    await table.waitFor();
    const keepRows = (theme: string) => keepScreenshot(page, `review-rows-${theme}`);
    expect(await violationsInBothThemes(page, undefined, keepRows)).toEqual([]);
    // Edits the first amount, inserts a row below, and deletes the row after it.
    await page.keyboard.type('12.5');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('Added');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('seven');
    await page.getByText('Enter a number').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('7');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Delete');
    await keepScreenshot(page, 'review-rows-edited');
    await page.keyboard.press('Control+s');
    const rows = [
      { ...before.line_items[0], amount: 12.5 },
      { description: 'Added', amount: 7 },
    ];
    const result = async () => (await desk.call<Extraction>('GET', url)).result;
    await expect.poll(result).toMatchObject({ line_items: [...rows, ...before.line_items.slice(2)] });
    // The typed value is decided, and the same document stays open.
    await page.getByText('rows.pdf').waitFor();
    await page.getByText(`${before.line_items.length} rows`).waitFor();
    const { review } = await desk.call<Extraction>('GET', url);
    expect([review!['line_items.0.amount']!.state, review!['line_items.1.description']!.state]).toEqual([
      'corrected',
      'corrected',
    ]);
  }, 120_000);

  it('takes a value from a box drawn with a finger, and shows separately the values that the policy accepted', async () => {
    const fields = { due_date: { type: ['string', 'null'], format: 'date' }, delivery_terms: nullable('string') };
    const prompt = await desk.prompt('Touch', { ...fields, total: nullable('number') });
    const document = await desk.upload('touch.pdf', invoice);
    await desk.read(document);
    await desk.extract(document, prompt);
    const url = `/documents/${document.id}/extractions/${prompt.prompt_revid}`;
    const risks = Object.values((await desk.call<Extraction>('GET', url)).review!).map(({ risk }) => risk);
    const least = Math.min(...risks);
    const most = Math.max(...risks);
    expect(least).toBeLessThan(most);
    const review_policy = { confirm_below: (least + most) / 2, sample: 0 };
    await desk.call('PUT', `/prompts/${prompt.prompt_id}`, { review_policy });
    const storageState = await desk.page.context().storageState();
    const viewport = { width: 390, height: 800 };
    const context = await browser.newContext({ viewport, storageState, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    await page.goto(`${product.url}/review`);
    await page.getByRole('button', { name: /^Filter/u }).tap();
    await page.getByRole('menuitemradio', { name: 'Touch' }).tap();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'touch.pdf' }).waitFor();
    const accepted = page.getByText(/^Accepted below/u);
    await accepted.scrollIntoViewIfNeeded();
    await accepted.tap();
    await keepScreenshot(page, 'review-accepted-390');

    const paper = page.locator('[data-page="1"]').first();
    await paper.locator('canvas').waitFor();
    const scroller = page.getByRole('region', { name: 'Pages' });
    const session = await context.newCDPSession(page);
    const drag = async (first: number, ...shares: number[]) => {
      const { x, y, width, height } = (await scroller.boundingBox())!;
      const at = (share: number) => [{ x: x + width * share, y: y + height * share }];
      await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(first) });
      for (const share of shares) {
        await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(share) });
      }
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    const place = () => scroller.evaluate((element) => [element.scrollLeft, element.scrollTop]);
    await page.getByRole('button', { name: 'Take from page' }).tap();
    const before = await place();
    await drag(0.2, 0.4, 0.6, 0.8);
    const editor = page.locator('li[aria-current] form').locator('input, select');
    await editor.waitFor();
    expect(await editor.inputValue()).not.toBe('');
    expect(await place()).toEqual(before);
    await page.locator('[data-picked]').first().waitFor();
    await keepScreenshot(page, 'review-drawn-by-finger');
    await editor.press('Escape');
    await editor.waitFor({ state: 'detached' });
    // Without drawing mode, a finger scrolls.
    await drag(0.8, 0.6, 0.4, 0.2);
    await expect.poll(place).not.toEqual(before);
    expect(await editor.count()).toBe(0);
  }, 120_000);
});

/** Values are ordered by risk, so a value can be before or after the current one. */
async function goTo(page: Page, label: string): Promise<void> {
  const current = page.locator('li[aria-current]');
  await current.waitFor();
  for (const key of ['n', 'p']) {
    for (let step = 0; step < 10 && !(await current.innerText()).includes(label); step += 1) {
      await page.keyboard.press(key);
    }
  }
  await current.getByText(label).first().waitFor();
}

interface WordBox {
  text: string;
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}
