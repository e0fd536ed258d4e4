import type { Document, SplitProposal, Tag } from '@docwright/contract';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPdf, line } from '../../../packages/documents/src/testing/build-pdf.ts';
import { violationsInBothThemes } from '../browser/axe.ts';
import { chromiumPath, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openDesk, type Desk } from '../browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

/** Three invoices of two pages each, with a separator sheet between them. */
const texts = ['A-1001', 'B-2002', 'C-3003'].flatMap((number) => [
  [`Invoice ${number}`, 'Page 1 of 2'],
  [`More of ${number}`, 'Page 2 of 2'],
]);

describe.skipIf(chromiumPath === undefined)('splitting a file', () => {
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;
  let file: Document;
  let pages: Locator;
  const startOf = (number: number) => desk.page.getByRole('slider', { name: `Start of document ${number}` });
  const starts = async () =>
    await pages
      .getByRole('slider')
      .evaluateAll((lines) => (lines as unknown as { value: string }[]).map(({ value }) => Number(value)));

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    desk = await openDesk(browser, product);
    const content = texts.map(([title, foot]) => ({ content: line(title!, 50, 700, 16) + line(foot!, 280, 30) }));
    file = await desk.upload('scans.pdf', buildPdf({ pages: content }));
    await desk.read(file);
    await desk.call<Tag>('POST', '/tags', { name: 'Invoices', color: '#1d4ed8' });
    pages = desk.page.getByRole('region', { name: 'Pages' });
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('shows the proposed boundaries, moves, adds and removes them by pointer and keys, and keeps them over a reload', async () => {
    const { page } = desk;
    await desk.open(file);
    await page.getByRole('button', { name: 'Actions for scans.pdf' }).click();
    await page.getByRole('menuitem', { name: 'Split into documents…' }).click();
    await startOf(3).waitFor();
    expect(await starts()).toEqual([3, 5]);
    const { parts } = await desk.call<SplitProposal>('GET', `/documents/${file.id}/split`);
    await page
      .getByText(`${parts[1]!.reason} ${Math.round(parts[1]!.probability * 100)} %`)
      .first()
      .waitFor();

    await startOf(2).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await starts()).toEqual([4, 5]);
    expect(await page.evaluate('document.activeElement?.ariaLabel')).toBe('Start of document 2');
    await page.keyboard.press('Delete');
    expect(await starts()).toEqual([5]);
    expect(await page.evaluate('document.activeElement?.ariaLabel')).toBe('Page 4, document 1');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    expect(await starts()).toEqual([3, 5]);
    expect(await page.getByLabel('Name of document 2').inputValue()).toBe(parts[1]!.name);

    await page.getByRole('button', { name: 'Page 6, document 3' }).click();
    expect(await starts()).toEqual([3, 5, 6]);
    const [from, to] = [
      await startOf(3).boundingBox(),
      await page.getByRole('button', { name: 'Page 4' }).boundingBox(),
    ];
    await page.mouse.move(from!.x + from!.width / 2, from!.y + 40);
    await page.mouse.down();
    await page.mouse.move(to!.x + 30, to!.y + 60, { steps: 4 });
    await page.mouse.up();
    expect(await starts()).toEqual([3, 4, 6]);
    await page.reload();
    await startOf(4).waitFor();
    expect(await starts()).toEqual([3, 4, 6]);
    await page.getByRole('button', { name: 'Restore the proposed boundaries' }).click();
    expect(await starts()).toEqual([3, 5]);
  });

  it('has no violation in either theme, and fits a phone', async () => {
    const { page } = desk;
    await pages.locator('canvas').nth(5).waitFor();
    const keep = (theme: string) => keepScreenshot(page, `splitting-${theme}`);
    expect(await violationsInBothThemes(page, ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'], keep)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    await keepScreenshot(page, 'splitting-phone');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('creates the documents with names, tags and words, names the omitted pages, and undoes all of it', async () => {
    const { page } = desk;
    await page.getByLabel('Name of document 1').fill('First invoice');
    await page.getByRole('button', { name: 'Tags of document 1' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Invoices' }).click();
    await page.keyboard.press('Escape');
    await page.getByLabel('Leave out').nth(1).check();
    await page.getByRole('button', { name: 'Make 2 documents' }).click();
    await page.getByRole('heading', { name: '2 documents were made' }).waitFor();
    await page.getByText('In no document: pages 3, 4.').waitFor();
    await keepScreenshot(page, 'splitting-made');
    const made = async () =>
      (await desk.call<{ documents: Document[] }>('GET', '/documents?limit=100')).documents.filter(
        ({ split_from }) => split_from?.document_id === file.id,
      );
    const [first] = (await made()).filter(({ document_name }) => document_name === 'First invoice.pdf');
    expect(first).toMatchObject({ page_count: 2, state: 'ocr_completed', split_from: { pages: [[1, 2]] } });
    expect(first!.tag_ids).toHaveLength(1);
    const { words } = await desk.call<{ words: { text: string }[] }>('GET', `/documents/${first!.id}/words?page_num=1`);
    expect(words.map(({ text }) => text)).toContain('A-1001');
    await page.getByRole('button', { name: 'Undo the split' }).click();
    await startOf(2).waitFor();
    expect(await made()).toEqual([]);
  });
});
