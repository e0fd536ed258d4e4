import fs from 'node:fs';
import path from 'node:path';
import type { Document, Tag } from '@docwright/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { excelFile, longReport, tiffFile, turnedInvoice, wordFile } from './document-files.ts';
import { openDesk, strictObject, type Desk } from '../browser/document-setup.ts';
import { mainThreadTasks } from '../browser/main-thread-tasks.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';
import { expectBoxOn } from '../browser/word-place.ts';

const invoice = fs.readFileSync(path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf'));
const orNull = (type: string, description: string) => ({ type: [type, 'null'], description });

/** The values of which the pencil beside them covers a part, or the marks. */
const coveredValues = `[...document.querySelectorAll('[data-field] button[aria-label^="Edit "]')].flatMap((pencil) => {
  const { left, right } = pencil.getBoundingClientRect();
  const others = [pencil.closest('[data-field]').querySelector('button[aria-pressed]'), pencil.nextElementSibling];
  return others.filter((other) => {
    const box = other?.getBoundingClientRect();
    return box !== undefined && box.left < right && left < box.right;
  }).map(() => pencil.ariaLabel);
})`;

describe.skipIf(chromiumPath === undefined)('the page beside the values', () => {
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    desk = await openDesk(browser, product);
    // The viewer scrolls smoothly to a page that is near.
    await desk.page.emulateMedia({ reducedMotion: 'no-preference' });
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('keeps a panel open that was opened while the PDF was loading', async () => {
    const { page } = desk;
    const document = await desk.upload('slow.pdf', turnedInvoice());
    await desk.read(document);
    const loaded = Promise.withResolvers<void>();
    // The picture of its first page too, which is shown until the PDF is drawn.
    const isHeld = /\/(?:file|picture)$/u;
    await page.route(isHeld, async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await desk.open(document);
    await page.getByText('Loading the PDF').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+f');
    await page.keyboard.type('INV');
    await page.getByRole('button', { name: /^Zoom: /u }).click();
    loaded.resolve();
    await page.locator('[data-page="1"] canvas').waitFor();
    await page.getByRole('menuitemradio', { name: '50 %', exact: true }).click();
    await page.getByRole('button', { name: 'Zoom: 50 %' }).waitFor();
    expect(await page.locator('[data-search-field]').inputValue()).toBe('INV');
    await page.unroute(isHeld);
  });

  it('has each box on its word, on turned and cropped pages and at every zoom', async () => {
    const { page } = desk;
    const prompt = await desk.prompt('Turned', {
      invoice_number: orNull('string', 'Invoice number'),
      total: orNull('number', 'Total'),
      due_date: orNull('string', 'Due date'),
    });
    const document = await desk.upload('turned.pdf', turnedInvoice());
    await desk.read(document);
    const { result } = await desk.extract(document, prompt);
    expect(result).toMatchObject({ invoice_number: 'INV-4711', total: 99.5 });
    await desk.open(document);
    await page.getByRole('button', { name: 'Edit Total' }).waitFor({ state: 'attached' });
    expect(await page.evaluate(coveredValues)).toEqual([]);
    const words = { invoice_number: 'INV-4711', total: '99.50' };
    for (const zoom of ['Fit the page', '50 %', '200 %']) {
      await page.getByRole('button', { name: /^Zoom: /u }).click();
      await page.getByRole('menuitemradio', { name: zoom, exact: true }).click();
      for (const [field, word] of Object.entries(words)) {
        await page.locator(`[data-field="${field}"] button[aria-pressed]`).click();
        await expectBoxOn(page, word, page.locator(`[data-mark="${field}"]`));
      }
    }
    await keepScreenshot(page, 'viewer-turned');
    const isFilled = () =>
      page.evaluate<boolean>(
        `getComputedStyle(document.querySelector('[data-mark="invoice_number"]')).backgroundColor !== 'rgba(0, 0, 0, 0)'`,
      );
    await expect.poll(isFilled).toBe(true);
    await page.keyboard.press('Control+f');
    await page.keyboard.type('INV-4711');
    await page.locator('[data-hit="active"]').waitFor();
    await expect.poll(isFilled).toBe(false);
    await keepScreenshot(page, 'viewer-hit-over-mark');
    await page.keyboard.press('Escape');
  });

  it('starts at the first of several short pages, and goes to each that is chosen', async () => {
    const { page } = desk;
    const pages = ['One', 'Two', 'Three'].join('</w:t><w:br w:type="page"/><w:t>');
    const document = await desk.upload('short-pages.docx', wordFile(pages));
    await desk.read(document);
    await desk.open(document);
    await page.getByRole('article', { name: 'Page 3' }).waitFor();
    const number = page.getByLabel('Go to page');
    const go = (name: string) => page.getByRole('button', { name }).click();
    expect(await number.inputValue()).toBe('1');
    await go('Next page');
    await expect.poll(() => number.inputValue()).toBe('2');
    await go('Next page');
    await expect.poll(() => number.inputValue()).toBe('3');
    await go('Previous page');
    await expect.poll(() => number.inputValue()).toBe('2');
  });

  it('names the document beside its tags, in one line of the header', async () => {
    const { page } = desk;
    const names = ['Urgent', 'Invoices of the year', 'Checked by the accountants of the northern branch'];
    const tags = await Promise.all(names.map((name) => desk.call<Tag>('POST', '/tags', { name })));
    const document = await desk.upload('invoice-of-november.txt', Buffer.from('Invoice'));
    await desk.call('PATCH', `/documents/${document.id}`, { tag_ids: tags.map(({ tag_id }) => tag_id) });
    await desk.open(document);
    const shown = page.getByRole('list', { name: 'Tags' }).getByRole('listitem');
    await expect.poll(() => shown.count()).toBe(3);
    const header = await page.getByRole('banner').boundingBox();
    for (const tag of await shown.all()) {
      const box = await tag.boundingBox();
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(header?.height ?? 0);
    }
    await page.getByRole('heading', { name: 'invoice-of-november.txt' }).waitFor();
    const cut = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('h1'))`;
    expect(await page.evaluate(cut)).toBe(0);
  });

  it('highlights a cell of a table from its box, and the box from the cell', async () => {
    const { page } = desk;
    const item = strictObject({ description: orNull('string', 'Description'), amount: orNull('number', 'Amount') });
    const prompt = await desk.prompt('Items', { line_items: { type: 'array', items: item } });
    const document = await desk.upload('items.pdf', invoice);
    await desk.read(document);
    await desk.extract(document, prompt);
    await desk.open(document);
    const mark = page.locator('[data-mark="line_items.0.description"]');
    await expectBoxOn(page, 'Consulting Services', mark);
    await mark.hover();
    const cell = page.locator('[data-field="line_items.0.description"]');
    expect(await cell.getAttribute('class')).toContain('bg-hover');
    await mark.click();
    await page.waitForURL(/field=line_items\.0\.description/u);
    await page.locator('[data-field="line_items.1.description"] button').hover();
    await page.locator('[data-mark="line_items.1.description"][data-active]').waitFor();
    // A link opens the same view.
    await page.reload();
    await page.locator('[data-mark="line_items.0.description"][data-active]').waitFor();
  });

  it('draws few of 200 pages at a time, and finds a word on any of them', async () => {
    const { page } = desk;
    const document = await desk.upload('long.pdf', longReport(200));
    await desk.read(document);
    await desk.open(document);
    await page.getByRole('button', { name: 'Show the thumbnails' }).click();
    await page.locator('nav canvas').first().waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('n7777');
    await page.getByText('1 of 1').waitFor();
    await expectBoxOn(page, 'n7777', page.locator('[data-hit="active"]'));
    expect(await page.getByLabel('Go to page').inputValue()).toBe('195');
    await page.getByRole('button', { name: 'Page 195', exact: true }).waitFor();
    await page.getByRole('textbox', { name: 'Search in the document' }).fill('the long report');
    await page.getByText(/^195 of 200$/u).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('196 of 200').waitFor();
    await keepScreenshot(page, 'viewer-search');
    await page.keyboard.press('Escape');
    await page.locator('section[aria-label="Pages"]').hover();
    const scrolling = await mainThreadTasks(browser, page, async () => {
      for (let turn = 0; turn < 40; turn += 1) {
        await page.mouse.wheel(0, -2000);
        await page.waitForTimeout(16);
      }
    });
    expect(Number(await page.getByLabel('Go to page').inputValue())).toBeLessThan(190);
    expect(scrolling.filter((ms) => ms > 50)).toEqual([]);
    expect(await page.getByRole('navigation', { name: 'Page thumbnails' }).locator('li').count()).toBeLessThan(20);
    // A page that has left the view is removed a moment later.
    await expect.poll(() => page.locator('section[aria-label="Pages"] canvas').count()).toBeLessThan(12);
  });

  it('shows every kind of file', async () => {
    const { page } = desk;
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 200, height: 60 } });
    const texts: [name: string, content: Uint8Array][] = [
      ['letter.docx', wordFile('Readable in Word')],
      ['sheet.xlsx', excelFile('Readable in Excel')],
      ['list.csv', Buffer.from('what,where\nReadable,in a list\n')],
      ['note.txt', Buffer.from('Readable as text\n')],
      ['note.md', Buffer.from('# Readable as Markdown\n')],
      ['page.html', Buffer.from('<!doctype html><html><body><p>Readable as HTML</p></body></html>')],
      [
        'mail.eml',
        Buffer.from(
          'From: a@example.org\r\nTo: b@example.org\r\nSubject: Hi\r\nContent-Type: text/plain\r\n\r\nReadable as mail\r\n',
        ),
      ],
    ];
    const documents: Document[] = [];
    for (const [name, content] of texts) documents.push(await desk.upload(name, content));
    await Promise.all(documents.map((document) => desk.read(document)));
    await desk.open(documents[0]!);
    for (const [name] of texts) {
      await page.getByRole('heading', { name }).waitFor();
      await page
        .getByRole('article')
        .getByText(/Readable/u)
        .waitFor();
      await page.keyboard.press('Control+ArrowLeft');
    }
    const png = await desk.upload('picture.png', picture);
    await desk.open(png);
    await page.getByRole('img', { name: 'picture.png' }).waitFor();
    const scan = await desk.upload('scan.tiff', tiffFile(2));
    await desk.open(scan);
    const canvas = page.locator('[data-page="2"] canvas');
    await canvas.waitFor();
    await expect.poll(() => page.evaluate(blackAndWhite)).toEqual([0, 255]);
  });
});

/** Runs in the browser: grey of the left and of the right half of the second page. */
const blackAndWhite = `(() => {
  const canvas = document.querySelector('[data-page="2"] canvas');
  const row = canvas.getContext('2d').getImageData(0, canvas.height / 2, canvas.width, 1).data;
  return [row[0], row[(canvas.width - 1) * 4]];
})()`;
