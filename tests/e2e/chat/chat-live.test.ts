import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openNote, say, waitingCard } from './chat-page.ts';
import { longAnswer } from './long-answer.ts';
import { startPacedModel, type PacedModel } from '../browser/paced-model.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';
import { mainThreadTasks } from '../browser/main-thread-tasks.ts';

const pieces = longAnswer.match(/[^]{1,24}/gu) ?? [];

describe.skipIf(chromiumPath === undefined)('a conversation that is open in several windows', () => {
  let model: PacedModel;
  let product: SharedProduct;
  let browser: Browser;
  let page: Page;
  let otherWindow: Page;
  let otherDevice: Page;
  const words = Array.from({ length: 60 }, (_, at) => `word${at} `);
  const rest = Promise.withResolvers<void>();

  beforeAll(async () => {
    model = await startPacedModel((message, round) => {
      if (message.includes('at length')) return { pieces, everyMs: 4 };
      if (message.includes('slowly')) return { pieces: words, everyMs: 20, hold: { from: 30, until: rest.promise } };
      if (round === 0) return { calls: [{ name: 'create_tag', arguments: { name: message.replaceAll(/\W/gu, '') } }] };
      return { pieces: ['That ', 'is ', 'done.'], everyMs: 1 };
    });
    [product, browser] = await Promise.all([shareProduct({ model }), launchBrowser()]);
    page = await openNote(browser, product);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
    model.stop();
  });

  it('shows the same pending card in each, and a decision of one in all', async () => {
    await say(page, 'First');
    await waitingCard(page, 'Create tag').waitFor();
    otherWindow = await page.context().newPage();
    const storageState = await page.context().storageState();
    otherDevice = await (await browser.newContext({ storageState, viewport: { width: 390, height: 800 } })).newPage();
    for (const other of [otherWindow, otherDevice]) {
      other.setDefaultTimeout(45_000);
      await other.goto(page.url());
      await waitingCard(other, 'Create tag').waitFor();
    }
    await keepScreenshot(otherDevice, 'live-other-device');
    await otherWindow.keyboard.press('y');
    for (const each of [page, otherWindow, otherDevice]) {
      await each.locator('[data-card][data-state="done"]').waitFor();
      await each.getByText('That is done.').waitFor();
      expect(await waitingCard(each, 'Create tag').count()).toBe(0);
    }
  });

  it('shows a turn of another window while it writes, and accepts no message meanwhile', async () => {
    await say(otherDevice, 'Tell me slowly');
    await page.getByText('Tell me slowly').waitFor();
    await page.getByText(/word5 /u).waitFor();
    expect(await page.getByRole('button', { name: 'Stop', exact: true }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0);
    expect(await page.getByText(/word30/u).count()).toBe(0);
    rest.resolve();
    await page.getByText(/word59/u).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  });

  it('draws twenty kilobytes as they stream without blocking the page', async () => {
    await Promise.all([otherWindow.close(), otherDevice.close()]);
    const tasks = await mainThreadTasks(browser, page, async () => {
      await say(page, 'Tell me at length');
      await page.getByText('The last word of it.').waitFor();
    });
    await keepScreenshot(page, 'live-long-answer');
    expect(tasks.length).toBeGreaterThan(500);
    // What the browser itself takes on this machine, on a page without content.
    const empty = await page.context().newPage();
    const [ofEmptyPage = 0] = await mainThreadTasks(browser, empty, () => empty.reload().then(() => undefined));
    await empty.close();
    expect(tasks.filter((ms) => ms > Math.max(50, ofEmptyPage))).toEqual([]);
  });
});
