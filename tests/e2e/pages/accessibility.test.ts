import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { violationsInBothThemes, wcag22 } from '../browser/axe.ts';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openInvoice, say, waitingCard } from '../chat/chat-page.ts';
import { deskOf } from '../browser/document-setup.ts';
import { entryPages, redirects, fillProduct, pages, routesOfTheApp } from './every-page.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const problemsOf = (page: Page) => violationsInBothThemes(page, wcag22);

it('has a row for every page of the router', () => {
  const rows = new Set([...pages.map(({ route }) => route), ...entryPages, ...redirects]);
  expect([...rows].toSorted()).toEqual([...new Set(routesOfTheApp())].toSorted());
});

describe.skipIf(chromiumPath === undefined)('the web app under WCAG 2.2 AA, in both themes', () => {
  let product: SharedProduct;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    page = await openInvoice(browser, product);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('has no violation in a conversation with a pending card and a proposal with its values', async () => {
    await page.getByRole('button', { name: 'Actions for contoso-invoice.pdf' }).click();
    await page.getByRole('menuitem', { name: 'Prepare automatically…' }).click();
    await page.getByRole('button', { name: 'Prepare 1 document' }).click();
    await page.getByText(/and found \d+ of \d+ values/u).waitFor();
    await page.getByRole('region', { name: 'Current extraction' }).getByRole('button').first().click();
    await say(page, 'create a tag called Urgent');
    await waitingCard(page, 'Create tag').waitFor();
    expect(await problemsOf(page)).toEqual([]);
  });

  it('has no violation on the list of documents, with one of them selected', async () => {
    await followLink(page, '/');
    await page.getByLabel('Select contoso-invoice.pdf').check();
    await page.getByText('1 selected').waitFor();
    expect(await problemsOf(page)).toEqual([]);
  });

  it('has no violation in the settings, with the form of a provider', async () => {
    await followLink(page, '/settings?section=models');
    await page.getByRole('button', { name: 'Add a provider' }).click();
    await page.getByRole('form', { name: 'New provider' }).waitFor();
    expect(await problemsOf(page)).toEqual([]);
  });

  it('shows no rotating or pulsing element to users who prefer reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const repeats = (name: string) =>
      page.evaluate<string>(`(() => {
        const moving = document.body.appendChild(document.createElement('span'));
        moving.className = ${JSON.stringify(name)};
        const { animationIterationCount } = getComputedStyle(moving);
        moving.remove();
        return animationIterationCount;
      })()`);
    expect([await repeats('animate-spin'), await repeats('animate-pulse')]).toEqual(['1', '1']);
  });

  it('has no violation on any page; each fits a phone and logs no error', async () => {
    const desk = await deskOf(page, product);
    const things = await fillProduct(desk);
    const found: string[] = [];
    page.on('pageerror', (error) => found.push(`${page.url()}: ${error.name}: ${error.message}`));
    for (const { address, shows } of pages) {
      const path = address(things);
      // Other programs lead to this page, so it is always loaded.
      if (path.startsWith('/authorize')) await page.goto(product.url + path);
      else await followLink(page, path);
      await page.getByText(shows).or(page.getByLabel(shows)).first().waitFor();
      await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
      found.push(...(await problemsOf(page)).map((problem) => `${path}: ${problem}`));
      await page.setViewportSize({ width: 390, height: 800 });
      // Some parts follow a new window size a moment later.
      const width = async () => page.evaluate<number>('document.documentElement.scrollWidth');
      const fits = vi.waitUntil(async () => (await width()) === 390, { timeout: 15_000, interval: 100 });
      await fits.catch(() => found.push(`${path}: is wider than 390`));
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    const stranger = await (await browser.newContext()).newPage();
    for (const path of entryPages) {
      await stranger.goto(product.url + path);
      await stranger.getByLabel('Password').waitFor();
      found.push(...(await problemsOf(stranger)).map((problem) => `${path}: ${problem}`));
    }
    await keepScreenshot(stranger, 'create-account');
    expect(found).toEqual([]);
    // About thirty pages in two themes each.
  }, 300_000);
});
