import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsInBothThemes, violationsOn, wcag22 } from '../browser/axe.ts';
import { chromiumPath, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openDesk } from '../browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

describe.skipIf(chromiumPath === undefined)('the to-do list', () => {
  let product: SharedProduct;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    const desk = await openDesk(browser, product);
    page = desk.page;
    page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`));
    await desk.upload('contract-7.txt', Buffer.from('Contract'));
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  const rows = () => page.getByRole('list', { name: 'Tasks' }).getByRole('listitem');

  async function say(message: string, answer: string | RegExp) {
    await page.getByLabel('Message to the task agent').fill(message);
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText(answer).last().waitFor();
  }

  /** No violations in either theme, and the page fits a phone. */
  async function expectAccessible(name: string) {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const look = async (theme: string) => {
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(width);
        await keepScreenshot(page, `tasks-${name}-${width}-${theme}`);
      };
      expect(await violationsInBothThemes(page, wcag22, look), name).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }

  it('is edited by hand: a task is added with a date and a document, which opens, then changed and completed', async () => {
    await page.getByRole('link', { name: 'Tasks' }).click();
    await page.getByText('Nothing to do').waitFor();
    await expectAccessible('empty');
    await page.getByRole('button', { name: 'New task' }).first().click();
    await page.getByLabel('Title').fill('Read it');
    await page.getByLabel('Due').fill('2020-02-03');
    await page.getByLabel('Document').selectOption({ label: 'contract-7.txt' });
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(/^Overdue: .*2020/u).waitFor();
    await page.getByRole('button', { name: 'Edit Read it' }).click();
    await page.getByLabel('Title').fill('Read the contract');
    await expectAccessible('form');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Read the contract', { exact: true }).waitFor();
    await rows().getByRole('link', { name: 'contract-7.txt' }).click();
    await page.waitForURL(/\/documents\//u);
    await page.goBack();
    await page.getByLabel('Done: Read the contract').click();
    await page.getByText('Nothing to do').waitFor();
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await expect.poll(() => rows().count()).toBe(1);
  });

  it('is edited by conversation, which shows the effect of each message and continues after a reload', async () => {
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await say('Add tasks: scan the receipts, call the bank tomorrow', 'I have added “call the bank”');
    const done = page.getByRole('list', { name: 'What was done' });
    await done.getByText('Added “call the bank”, due Tomorrow').waitFor();
    await expect
      .poll(() => rows().allTextContents())
      .toEqual([expect.stringContaining('call the bank'), expect.stringContaining('scan the receipts')]);
    await page.reload();
    await say('rename the bank call to ask the bank, and delete the receipts', 'I have deleted “scan the receipts”.');
    await expect.poll(() => rows().count()).toBe(1);
    await page.getByRole('button', { name: 'Restore “scan the receipts”' }).click();
    await expect.poll(() => rows().count()).toBe(2);
    await say('complete the dentist', 'There is no task “the dentist” on your list.');
    await expectAccessible('conversation');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByRole('button', { name: 'Agent', exact: true }).click();
    await page.getByText('There is no task “the dentist” on your list.').waitFor();
    expect(await violationsOn(page, wcag22)).toEqual([]);
    await keepScreenshot(page, 'tasks-agent-390-dark');
    expect(complaints).toEqual([]);
  });
});
