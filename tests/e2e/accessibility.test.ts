import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser } from './browser.ts';
import { openInvoice, say, waitingCard } from './chat-page.ts';
import { startProduct, type Product } from './product.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

describe.skipIf(chromiumPath === undefined)('WCAG 2.2 AA, in both themes', () => {
  let product: Product;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [product, browser] = await Promise.all([startProduct(), launchBrowser()]);
    page = await openInvoice(browser, product);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  async function expectNothingFound() {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze();
      const found = violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`);
      expect(found).toEqual([]);
    }
  }

  it('holds in a conversation: a card that waits, a proposal with its values', async () => {
    await page.getByRole('button', { name: 'Actions for contoso-invoice.pdf' }).click();
    await page.getByRole('menuitem', { name: 'Prepare automatically' }).click();
    await page.getByText(/and found \d+ of \d+ values/u).waitFor();
    await page.getByRole('region', { name: 'Current extraction' }).getByRole('button').first().click();
    await say(page, 'create a tag called Urgent');
    await waitingCard(page, 'Create tag').waitFor();
    await expectNothingFound();
  });

  it('holds on the list of documents, with one of them chosen', async () => {
    await page.goto(product.url);
    await page.getByLabel('Choose contoso-invoice.pdf').check();
    await page.getByText('1 chosen').waitFor();
    await expectNothingFound();
  });

  it('holds in the settings, with the form of a provider', async () => {
    await page.goto(`${product.url}/settings?section=models`);
    await page.getByRole('button', { name: 'Add a provider' }).click();
    await page.getByRole('form', { name: 'New provider' }).waitFor();
    await expectNothingFound();
  });
});
