import type { Document, Source } from '@docwright/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { longReport } from '../documents/document-files.ts';
import { openDesk, type Desk } from '../browser/document-setup.ts';
import { makeCollection } from './every-page.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';
import { expectBoxAt, expectBoxOn, type Place } from '../browser/word-place.ts';

const filler = 'Nothing that anybody looks for stands in this line.\n'.repeat(120);
const note = `${filler}The keys of the boathouse hang behind the stove.\n${filler}`;
/** An image of a page; the framed word is the search term. */
const scanned = `<body style="margin:0;padding:60px;width:900px;font:28px/1.6 serif;background:white;color:black">
  <p>Delivery note</p><p>Twelve crates were left at the quay.</p>
  <p>The <span id="word">lighthouse</span> keeper has signed for them.</p></body>`;

describe.skipIf(chromiumPath === undefined)('a collection that is searched', () => {
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;
  let page: Page;
  let report: Document;
  let collection: string;
  /** Fractions of the image. */
  let wordInScan: Place;

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    desk = await openDesk(browser, product);
    page = desk.page;
    const scan = await pictureOfPage();
    report = await desk.upload('report.pdf', longReport(6));
    const text = await desk.upload('note.txt', Buffer.from(note));
    const picture = await desk.upload('scan.png', scan);
    for (const document of [report, text, picture]) await desk.read(document);
    const source = await desk.callV2<Source>('POST', '/sources', { name: 'All of it' });
    collection = await makeCollection(desk, source, 'Harbour papers');
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('is found in the list and searched while the user types; the keys lead to a hit and its word in the PDF', async () => {
    await followLink(page, '/collections');
    await page.getByRole('link', { name: 'Harbour papers' }).click();
    await page.getByRole('textbox', { name: 'Search Harbour papers' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('n207');
    await page.getByText('1 hit in 1 document').waitFor();
    await page.waitForURL(/\?q=n207$/u);
    expect(await page.locator('article mark').allTextContents()).toEqual(['n207']);
    await keepScreenshot(page, 'collection-hits');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('Hit 1 of 1').waitFor();
    await expectBoxOn(page, 'n207', page.locator('[data-match]'));
    expect(await page.getByLabel('Go to page').inputValue()).toBe('6');
    await keepScreenshot(page, 'collection-hit-in-pdf');
    // A shared link opens the same place, also without the search.
    const address = page.url();
    await inFreshTab(address, (other) => expectBoxOn(other, 'n207', other.locator('[data-match]')));
    const bare = address.replace(/&collection=.*$/u, '');
    await inFreshTab(bare, (other) => other.locator('[data-passage]').first().waitFor());
  });

  it('leads from hit to hit, and back to the same place in the results', async () => {
    await followLink(page, `/collections/${collection}?q=long+report`);
    const hits = page.locator('[data-hit-key]');
    await hits.first().waitFor();
    const [first, second] = await page.evaluate<string[]>(hitKeys);
    expect(second).not.toBe(first);
    await hits.first().click();
    await page.getByText(/^Hit 1 of/u).waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText(/^Hit 2 of/u).waitFor();
    await page.getByRole('link', { name: 'Results' }).click();
    await page.waitForURL(/collections/u);
    await expect.poll(() => page.evaluate('document.activeElement.dataset.hitKey')).toBe(second);
    await page.goBack();
    await page.getByText(/^Hit 2 of/u).waitFor();
  });

  it('marks the words in a text and scrolls to them', async () => {
    await openHit('boathouse keys', 'note.txt');
    const marks = page.locator('[data-match]');
    await expect.poll(() => marks.allTextContents()).toEqual(['keys', 'boathouse']);
    await expect.poll(() => isInSight(marks.first())).toBe(true);
  });

  it('has the box on the word of a scan', async () => {
    await openHit('lighthouse', 'scan.png');
    await expectBoxAt(page.locator('[data-match]'), async () => {
      const shown = await page.locator('[data-page="1"]').boundingBox();
      if (!shown) return undefined;
      const { x, y, width, height } = shown;
      return {
        left: x + wordInScan.left * width,
        right: x + wordInScan.right * width,
        top: y + wordInScan.top * height,
        bottom: y + wordInScan.bottom * height,
      };
    });
    await keepScreenshot(page, 'collection-hit-in-scan');
  });

  it('says what to try if nothing is found, and accepts any text', async () => {
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await followLink(page, `/collections/${collection}`);
    const field = page.getByRole('textbox', { name: 'Search Harbour papers' });
    for (const text of ['"keys of the quay" -stove', '<b>&amp;</b>', '🙂', 'quay '.repeat(300), '"', '-', '\\']) {
      const answered = page.waitForResponse(/search$/u);
      await field.fill(text);
      expect((await answered).status(), text).toBe(200);
      await page.getByText(/^Nothing found$|hits? in \d/u).waitFor();
    }
    await field.fill('"keys of the quay"');
    await page.getByRole('button', { name: 'Search without quotation marks and minus' }).click();
    await page.getByText(/hits in 2 documents/u).waitFor();
    expect(complaints).toEqual([]);
  });

  it('adds new documents of its source', async () => {
    const late = await desk.upload('late.txt', Buffer.from('The albatross was late.'));
    await desk.read(late);
    await followLink(page, `/collections/${collection}?q=albatross`);
    await page.getByText('Nothing found').waitFor();
    await page.getByText('1 document added to the source.').waitFor();
    await page.getByRole('button', { name: 'Update' }).click();
    await page.getByText('1 hit in 1 document').waitFor();
  });

  it('is deleted after a question; its links still lead to the place, without the search', async () => {
    await openHit('n207', 'report.pdf');
    const address = page.url();
    await followLink(page, `/collections/${collection}`);
    await page.getByRole('button', { name: 'Actions for Harbour papers' }).click();
    await page.getByRole('menuitem', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No collections yet').waitFor();
    await page.goto(address);
    await page.getByText('This collection was deleted.').waitFor();
    await page.locator('[data-passage]').first().waitFor();
  });

  async function openHit(query: string, name: string) {
    await followLink(page, `/collections/${collection}?q=${encodeURIComponent(query)}`);
    await page.getByRole('link', { name }).first().click();
    await page.getByText(/^Hit \d/u).waitFor();
  }

  async function inFreshTab(address: string, look: (other: Page) => Promise<unknown>) {
    const other = await page.context().newPage();
    await other.goto(address);
    await look(other);
    await other.close();
  }

  async function pictureOfPage(): Promise<Buffer> {
    const other = await browser.newPage({ viewport: { width: 1020, height: 500 } });
    await other.setContent(scanned);
    const box = (await other.locator('#word').boundingBox())!;
    wordInScan = {
      left: box.x / 1020,
      right: (box.x + box.width) / 1020,
      // The height of the letters, without the space between lines.
      top: (box.y + box.height * 0.22) / 500,
      bottom: (box.y + box.height * 0.95) / 500,
    };
    const picture = await other.screenshot();
    await other.close();
    return picture;
  }
});

/** Runs in the browser: the listed hits. */
const hitKeys = `[...document.querySelectorAll('[data-hit-key]')].map(({ dataset }) => dataset.hitKey)`;

async function isInSight(element: { boundingBox(): Promise<{ y: number; height: number } | null> }): Promise<boolean> {
  const box = await element.boundingBox();
  return box !== null && box.y > 80 && box.y + box.height < 800;
}
