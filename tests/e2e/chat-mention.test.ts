import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, launchBrowser } from './browser.ts';
import { openInvoice, say, waitingCard } from './chat-page.ts';
import { startProduct, type Product } from './product.ts';

describe.skipIf(chromiumPath === undefined)('mentions', () => {
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

  it('offers what a tool has just made, by keyboard, and keeps it in the stored message', async () => {
    await say(page, 'create a tag called $& Urgent');
    await waitingCard(page, 'Create tag').waitFor();
    await page.keyboard.press('y');
    await page.getByText('What this turn changed (1)').waitFor();
    const message = page.getByLabel('Message to the agent');
    await message.click();
    await page.keyboard.type('look at @Urg');
    await page.getByRole('option', { name: /\$& Urgent/u }).waitFor();
    await page.keyboard.press('Enter');
    expect(await message.inputValue()).toBe('look at @$& Urgent ');
    await page.keyboard.press('Enter');
    const chip = page.getByRole('list', { name: 'Mentions' }).getByText('$& Urgent');
    await chip.waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await page.reload();
    await chip.waitFor();
  });

  it('leaves forged ones as text', async () => {
    const message = page.getByLabel('Message to the agent');
    await message.fill('see \uE000Urgent\uE001tag:000000000000000000000000\uE002 there');
    expect(await message.inputValue()).toBe('see Urgent there');
  });

  it('finds what is not among the hundred that are loaded', async () => {
    await page.evaluate(async () => {
      const addresses = performance.getEntriesByType('resource').map(({ name }) => name);
      const orgId = addresses.map((address) => /\/v0\/orgs\/(\w+)/u.exec(address)?.[1]).find(Boolean);
      for (let batch = 0; batch < 10; batch += 1) {
        await Promise.all(
          Array.from({ length: 11 }, (_, at) =>
            fetch(`/v0/orgs/${orgId}/tags`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify({ name: `!${batch}-${at}` }),
            }),
          ),
        );
      }
    });
    await page.reload();
    const message = page.getByLabel('Message to the agent');
    await message.click();
    await message.fill('');
    await page.keyboard.type('and @Urgent');
    await page.getByRole('option', { name: /\$& Urgent/u }).click();
    expect(await message.inputValue()).toBe('and @$& Urgent ');
  });
});
