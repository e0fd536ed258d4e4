import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { cardIn, openNote, say, waitingCard } from './chat-page.ts';
import { startPacedModel, type PacedModel } from '../browser/paced-model.ts';
import { startProduct, type Product } from '../../product/product.ts';

const words = Array.from({ length: 80 }, (_, at) => `word${at} `);

describe.skipIf(chromiumPath === undefined)('a conversation that is interrupted', () => {
  let model: PacedModel;
  let product: Product;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];
  let rest = Promise.withResolvers<void>();

  beforeAll(async () => {
    model = await startPacedModel((message, round) => {
      if (message.includes('slowly')) return { pieces: words, everyMs: 20, hold: { from: 40, until: rest.promise } };
      const name = /tag (\w+)/u.exec(message)?.[1] ?? 'None';
      if (round === 0) return { calls: [{ name: 'create_tag', arguments: { name } }] };
      return { pieces: [`${name} is there.`], everyMs: 1 };
    });
    const settings = { LLM_BASE_URL: model.url, LLM_MODEL: 'paced', LLM_API_KEY: 'none' };
    [product, browser] = await Promise.all([startProduct(settings), launchBrowser()]);
    page = await openNote(browser, product);
    page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`));
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
    model.stop();
  });

  it('continues after a reload in the middle of a stream, with every word once', async () => {
    await say(page, 'Tell me slowly');
    await page.getByText(/word9 /u).waitFor();
    await page.reload();
    await page.getByText(/word39/u).waitFor();
    expect(await page.getByText(/word40/u).count()).toBe(0);
    rest.resolve();
    await page.getByText(/word79/u).waitFor();
    const article = page.getByRole('log').getByRole('article', { name: 'Agent' });
    expect(await article.count()).toBe(1);
    expect((await article.innerText()).trim()).toBe(words.join('').trim());
  });

  it('keeps a half-written reason over a reload, and over a window made narrow and wide again', async () => {
    await say(page, 'Make the tag Draft');
    await waitingCard(page, 'Create tag').waitFor();
    await page.keyboard.press('n');
    const reason = page.getByLabel('Why? The agent reads it.');
    await reason.fill('Because it');
    await page.reload();
    expect(await reason.inputValue()).toBe('Because it');
    await page.getByLabel('Message to the agent').fill('And then');
    await page.evaluate(`document.querySelector('[data-state="waiting"]').dataset.seen = 'here'`);
    for (const width of [700, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole('tab', { name: 'Page' }).waitFor({ state: width < 768 ? 'visible' : 'hidden' });
      expect(await page.locator('[data-card][data-seen="here"]').count()).toBe(1);
      expect(await page.getByLabel('Message to the agent').inputValue()).toBe('And then');
    }
    await reason.press('Enter');
    await cardIn(page, 'rejected', 'Because it').waitFor();
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('can approve a pending card after a %s', async (signal) => {
    await say(page, `Make the tag After${signal}`);
    await waitingCard(page, `After${signal}`).waitFor();
    await product.restart(signal);
    // After SIGTERM in the open page, after SIGKILL in a reloaded one.
    if (signal === 'SIGKILL') await page.reload();
    await waitingCard(page, `After${signal}`)
      .getByRole('button', { name: /^Approve/u })
      .click();
    await cardIn(page, 'done', `After${signal}`).waitFor();
    await page.getByText(`After${signal} is there.`).waitFor();
    await keepScreenshot(page, `interrupted-${signal}`);
  });

  it('continues by itself after the server dies in the middle of a stream', async () => {
    rest = Promise.withResolvers();
    await page.getByRole('button', { name: 'New conversation', exact: true }).last().click();
    await say(page, 'Tell me slowly');
    await page.getByText(/word9 /u).waitFor();
    await product.restart('SIGKILL');
    rest.resolve();
    await page.getByText(/word79/u).waitFor({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    const text = await page.getByRole('log').getByRole('article', { name: 'Agent' }).innerText();
    expect(text.trim()).toBe(words.join('').trim());
    expect(complaints).toEqual([]);
  });

  it('shows the undo of a turn in every window', async () => {
    const other = await page.context().newPage();
    await page.getByRole('button', { name: /^Conversations: /u }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Tell me slowly/u })
      .last()
      .click();
    const changes = page.getByRole('button', { name: /^What this turn changed/u }).last();
    await changes.waitFor();
    await other.goto(page.url());
    const elsewhere = other.getByRole('button', { name: /^What this turn changed/u }).last();
    await elsewhere.click();
    await other.getByRole('button', { name: 'Undo all changes' }).click();
    await other.getByText('Undone.').waitFor();
    await page.getByRole('button', { name: 'What this turn changed (1) · undone' }).waitFor();
  });
});
