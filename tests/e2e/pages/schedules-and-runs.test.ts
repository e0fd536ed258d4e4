import fs from 'node:fs';
import path from 'node:path';
import type { Schedule, Tag } from '@docwright/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsInBothThemes, wcag22 } from '../browser/axe.ts';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openDesk, type Desk } from '../browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const invoice = fs.readFileSync(path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf'));

describe.skipIf(chromiumPath === undefined)('schedules and runs', () => {
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    desk = await openDesk(browser, product);
    page = desk.page;
    page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`));
    await desk.prompt('Read invoices', { total: { type: 'number' } });
    await desk.read(await desk.upload('contoso-invoice.pdf', invoice));
    await desk.upload('damaged.pdf', Buffer.from('%PDF-1.4 and no more'));
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  /** No violations in either theme, and the page fits a phone. */
  async function expectAccessible(name: string) {
    expect(await violationsInBothThemes(page, wcag22), name).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBe(390);
    await keepScreenshot(page, `schedules-${name}-390`);
    await page.setViewportSize({ width: 1280, height: 800 });
  }

  it('plans an extraction, and shows its next times, its number of documents and errors', async () => {
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('menuitem', { name: 'Schedules and runs' }).click();
    await page.getByText('No schedules yet').waitFor();
    await page.getByRole('link', { name: 'New schedule' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Every morning');
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByText('Runs every weekday at 7:30 AM, Asia/Tokyo.').waitFor();
    const times = page.getByRole('list', { name: 'Next three runs' }).getByRole('listitem');
    await expect.poll(() => times.count()).toBe(3);
    for (const time of await times.allTextContents()) expect(time).toContain('7:30');
    await page.getByText('Matches 2 documents now.').waitFor();
    await page.getByLabel('Part of the name').fill('damaged');
    await page.getByText('Matches 1 document now.').waitFor();
    await page.getByLabel('Part of the name').fill('');
    await page.getByLabel('How often').selectOption({ label: 'Cron expression' });
    const cron = page.getByRole('textbox', { name: 'Cron expression' });
    await cron.fill('99 7 * * *');
    await expect.poll(() => cron.getAttribute('aria-invalid')).toBe('true');
    await page.getByText(/Invalid value for minute/u).waitFor();
    await expectAccessible('form');
    await cron.fill('15 7 1 * *');
    await page.getByText('Runs on the 1st of every month at 7:15 AM, Asia/Tokyo.').waitFor();
    await page.getByLabel('Prompt', { exact: true }).selectOption({ label: 'Read invoices' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('It has not run yet').waitFor();
    const { schedules } = await desk.call<{ schedules: Schedule[] }>('GET', '/schedules');
    expect(schedules).toMatchObject([{ cron: '15 7 1 * *', timezone: 'Asia/Tokyo', filter: { without_result: true } }]);
  });

  it('runs it now, shows its progress, and leads to the failed and the successful documents', async () => {
    await page.getByRole('button', { name: 'Run now' }).click();
    const documents = page.getByRole('table', { name: 'Documents of the run' });
    await page.getByText('1 succeeded, 1 failed').waitFor();
    await page.getByText('Some failed').waitFor();
    const failed = documents.getByRole('row').filter({ hasText: 'Failed' });
    await failed.getByText(/damaged or incomplete/u).waitFor();
    expect(await page.getByRole('button', { name: 'Stop…' }).count()).toBe(0);
    await expectAccessible('run');
    await failed.getByRole('link', { name: 'damaged.pdf' }).click();
    await page.waitForURL(/\/documents\//u);
    await page.goBack();
    await documents.getByRole('link', { name: 'contoso-invoice.pdf' }).click();
    await page.getByRole('tab', { name: 'Extraction' }).waitFor();
    await page.getByText('110').first().waitFor();
  });

  it('is found, turned off, and listed with its last outcome', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: /^Find/u }).fill('schedules');
    await page.getByRole('button', { name: /^Schedules\s*Page/u }).click();
    await page.getByRole('link', { name: /Some failed/u }).waitFor();
    await page.getByRole('switch', { name: 'Every morning is on' }).click();
    await page.getByText('Turned off').waitFor();
    await expectAccessible('list');
  });

  it('sends a message to chosen documents, with approval for the chosen tools only', async () => {
    await followLink(page, '/');
    await page.getByLabel('Select contoso-invoice.pdf').check();
    await page.getByRole('button', { name: 'Message…' }).click();
    await page.getByLabel('Message').fill('create a tag called Checked');
    await page.getByLabel('Other changes wait in the Inbox').waitFor();
    await page.getByRole('checkbox', { name: 'Create tag' }).check();
    await expectAccessible('new-run');
    await page.getByRole('button', { name: 'Start on 1 document' }).click();
    await page.getByText('Completed').waitFor();
    const { tags } = await desk.call<{ tags: Tag[] }>('GET', '/tags');
    expect(tags.map(({ name }) => name)).toEqual(['Checked']);
    await page.getByRole('link', { name: 'contoso-invoice.pdf' }).click();
    await page.getByRole('log').getByText('create a tag called Checked').waitFor();
    expect(complaints).toEqual([]);
  });
});
