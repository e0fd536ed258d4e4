import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { cardIn, openNote, say, waitingCard } from './chat-page.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

describe.skipIf(chromiumPath === undefined)('in a conversation', () => {
  let product: SharedProduct;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    page = await openNote(browser, product);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('keeps its parts in their places while the models load and when a turn ends', async () => {
    const hold = async (url: string) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      await page.route(url, async (route) => {
        await promise;
        await route.continue();
      });
      return resolve;
    };
    const showModels = await hold('**/llm/models*');
    const answer = await hold('**/chat');
    const send = () => page.getByRole('button', { name: 'Send', exact: true }).boundingBox();
    const messages = () => page.locator('[data-scrolls]').boundingBox();
    await page.reload();
    const sendAtFirst = await send();
    showModels();
    await page.getByText('rules, not a language model').waitFor();
    expect(await send()).toEqual(sendAtFirst);
    await say(page, 'which tags are there?');
    const messagesAtFirst = await messages();
    answer();
    await page.getByText(/^Conversation [\d.]/u).waitFor();
    expect(await messages()).toEqual(messagesAtFirst);
    expect(await send()).toEqual(sendAtFirst);
  });

  it('counts a call that waits beside Inbox, and its decision, at once', async () => {
    const count = async () => {
      await page.getByRole('button', { name: 'Menu', exact: true }).click();
      const inbox = page.getByRole('menuitem', { name: /^Inbox/u });
      await inbox.waitFor();
      return inbox;
    };
    // Sooner than the count is read again by itself.
    const timeout = 10_000;
    await (await count()).filter({ hasNotText: /[0-9]/u }).waitFor();
    await page.keyboard.press('Escape');
    await say(page, 'create a tag called Counted');
    await waitingCard(page, 'Counted').waitFor();
    await (await count()).filter({ hasText: '1' }).waitFor({ timeout });
    await page.keyboard.press('Escape');
    await waitingCard(page, 'Counted')
      .getByRole('button', { name: /^Reject/u })
      .click();
    await page.getByLabel('Why? The agent reads it.').press('Enter');
    await cardIn(page, 'rejected', 'Counted').waitFor();
    await (await count()).filter({ hasNotText: '1' }).waitFor({ timeout });
    await page.keyboard.press('Escape');
  });

  describe('mentions', () => {
    it('offers an object that a tool has just created, by keyboard, and stores it with the message', async () => {
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

    it('shows forged ones as text', async () => {
      const message = page.getByLabel('Message to the agent');
      await message.fill('see \uE000Urgent\uE001tag:000000000000000000000000\uE002 there');
      expect(await message.inputValue()).toBe('see Urgent there');
    });

    it('finds objects beyond the hundred that are loaded', async () => {
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

  describe('decisions on proposals of the agent', () => {
    it('are shown again after a reload, a rejection with its reason', async () => {
      await page.getByRole('button', { name: 'New conversation', exact: true }).last().click();
      await say(page, 'create a schema for this invoice and extract it');
      await waitingCard(page, 'Create schema').waitFor();
      await page.reload();
      await waitingCard(page, 'Create schema').waitFor();
      await page.keyboard.press('n');
      await page.getByLabel('Why? The agent reads it.').fill('We have one already');
      await keepScreenshot(page, 'decision-reason');
      await page.keyboard.press('Enter');
      const rejected = page.locator('[data-card][data-state="rejected"]');
      await rejected.getByText('We have one already').waitFor();
    });

    it('can change the arguments, which are checked against the tool’s schema', async () => {
      await page.getByRole('button', { name: 'New conversation', exact: true }).last().click();
      await say(page, 'create a tag called Urgent');
      await waitingCard(page, 'Create tag').waitFor();
      await page.keyboard.press('e');
      const editor = page.getByRole('textbox', { name: 'Arguments' });
      await editor.fill('{ "name": 7 }');
      await page.getByText(/^name: /u).waitFor();
      expect(await page.getByRole('button', { name: 'Approve with changes' }).isDisabled()).toBe(true);
      await editor.fill('{ "name": "Very urgent" }');
      await page.getByText('The arguments are valid.').waitFor();
      await keepScreenshot(page, 'decision-arguments');
      await page.getByRole('button', { name: 'Approve with changes' }).click();
      await page.locator('[data-state="done"]').getByText('Very urgent').first().waitFor();
    });

    it('can be remembered: the next call runs without asking, and the page says so', async () => {
      await say(page, 'create a tag called Paid');
      const card = waitingCard(page, 'Create tag');
      await card.getByRole('button', { name: 'Always allow' }).click();
      await page.getByRole('menuitem', { name: 'For this document' }).click();
      await page.getByRole('button', { name: /Automatic: Create tag/u }).waitFor();
      await say(page, 'create a tag called Archived');
      await page.locator('[data-state="done"]').getByText('Archived').first().waitFor();
      await keepScreenshot(page, 'decision-unasked');
    });

    it('can be undone with the turn', async () => {
      await page.getByRole('log').getByRole('link', { name: 'Archived' }).waitFor();
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
      await page
        .getByRole('button', { name: /What this turn changed/u })
        .last()
        .click();
      await page.getByText('Create tag Archived').waitFor();
      await page.getByRole('button', { name: 'Undo all changes' }).click();
      await page.getByText('Undone. The conversation is kept as a record.').waitFor();
      await keepScreenshot(page, 'decision-undone');
    });
  });
});
