import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser } from '../browser/browser.ts';
import { deskOf } from '../browser/document-setup.ts';
import { openInvoice } from '../chat/chat-page.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';
import { fillProduct, pages } from './every-page.ts';

/** Google calls 0.1 good; here nothing may visibly move. */
const maxShift = 0.02;
/** What arrives later than the text of the page can still move it. */
const settleMs = 400;

/** Adds up the layout shifts of the page that no input of the user has caused, and names what moved. */
const observeShifts = `
  window.shifted = { score: 0, moved: [] };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      window.shifted.score += value;
      for (const { node, previousRect, currentRect } of sources) {
        const text = (node?.textContent ?? '').slice(0, 30);
        window.shifted.moved.push((node?.nodeName ?? '?') + ' “' + text + '” ' + previousRect.y + ' → ' + currentRect.y);
      }
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

const parts = [0, 1, 2, 3, 4, 5];

interface Shifted {
  score: number;
  moved: string[];
}

describe.skipIf(chromiumPath === undefined)('a page that is loaded', () => {
  let product: SharedProduct;
  let browser: Browser;
  let page: Page;
  let addresses: { path: string; shows: string | RegExp }[];

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    page = await openInvoice(browser, product);
    const things = await fillProduct(await deskOf(page, product));
    addresses = pages.map(({ address, shows }) => ({ path: address(things), shows }));
    await page.addInitScript(observeShifts);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  async function shiftOf(path: string, shows: string | RegExp): Promise<Shifted> {
    await page.goto(product.url + path);
    await page.getByText(shows).or(page.getByLabel(shows)).first().waitFor({ state: 'attached' });
    await page.waitForTimeout(settleMs);
    return await page.evaluate<Shifted>('window.shifted');
  }

  it.each(parts)('does not move while it loads (part %i of the pages)', async (part) => {
    const size = Math.ceil(addresses.length / parts.length);
    const found: string[] = [];
    for (const { path, shows } of addresses.slice(part * size, (part + 1) * size)) {
      const { score, moved } = await shiftOf(path, shows);
      if (score > maxShift) found.push(`${path}: ${score.toFixed(3)}: ${moved.join('; ')}`);
    }
    expect(found).toEqual([]);
  });

  it('is measured: a page on which something moves is found', async () => {
    const { score } = await shiftOf('/settings', 'Account');
    expect(score).toBeLessThanOrEqual(maxShift);
    await page.evaluate(`document.body.insertAdjacentHTML('afterbegin', '<div style="height:300px"></div>')`);
    await expect.poll(async () => (await page.evaluate<Shifted>('window.shifted')).score).toBeGreaterThan(maxShift);
  });
});
