import type { Document, Prompt, Proposal } from '@docwright/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { documentsOfKinds } from '../../../apps/api/src/testing/documents-of-kinds.ts';
import { violationsInBothThemes } from '../browser/axe.ts';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openDesk, type Desk } from '../browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const all = documentsOfKinds(60);
const given = [
  ...all.filter(({ issuer }) => issuer === 'Contoso').slice(0, 4),
  ...all.filter(({ kind }) => kind === 'Receipt').slice(0, 1),
];

describe.skipIf(chromiumPath === undefined)('proposals by kind', () => {
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;
  const complaints: string[] = [];
  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    desk = await openDesk(browser, product);
    desk.page.on('console', (message) => {
      const { url } = message.location();
      if (message.type() === 'error') complaints.push(`${message.text()} ${url}`);
    });
    // The last invoice has another VAT ID than the others of its issuer.
    const textOf = (text: string, at: number) => (at === 3 ? text.replace('GB123456789', 'GB987654321') : text);
    const documents = given.map(({ name, text }, at) => ({
      name,
      content: Buffer.from(textOf(text, at)).toString('base64'),
      auto_create: true,
    }));
    await desk.call('POST', '/documents', { documents });
    const waiting = () => desk.call<{ total_count: number }>('GET', '/documents?auto_create=proposed');
    await vi.waitUntil(async () => (await waiting()).total_count === given.length, { timeout: 60_000, interval: 250 });
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('are a state, a chip and a filter of the document list, and missing from the lists of objects in use', async () => {
    const { page } = desk;
    await followLink(page, '/');
    await page.getByRole('button', { name: /^Proposal ready/u }).click();
    await expect.poll(() => page.url()).toContain('state=proposal');
    await page.getByRole('link', { name: given[0]!.name, exact: true }).waitFor();
    // The address changes before the filtered list is here.
    const rows = page.locator('tbody tr').filter({ hasText: 'Proposal ready' });
    await expect.poll(() => rows.count()).toBe(given.length);
    await keepScreenshot(page, 'proposals-in-the-list');
    await followLink(page, '/prompts');
    await page.getByRole('heading', { name: 'Prompts' }).first().waitFor();
    await page.getByText('Invoice', { exact: true }).waitFor({ state: 'detached' });
  });

  it('are shown as a matrix of documents and fields', async () => {
    const { page } = desk;
    await followLink(page, '/proposals');
    const kind = page.getByRole('region', { name: 'Invoice', exact: true });
    await kind.getByText('4 documents · Invoice').waitFor();
    await kind.getByRole('rowheader', { name: given[0]!.name }).waitFor();
    await kind.getByRole('columnheader', { name: /Invoice number 4 of 4/u }).waitFor();
    await page.getByText('5 documents in 2 kinds').waitFor();
    const different = kind.getByRole('cell', { name: /^GB987654321 .*Most documents have GB123456789$/u });
    expect(await different.getAttribute('class')).toContain('bg-warn-soft');
    const usual = kind.getByRole('cell', { name: /^GB123456789/u }).first();
    expect(await usual.getAttribute('class')).not.toContain('bg-warn-soft');
    const keep = (theme: string) => keepScreenshot(page, `proposals-${theme}`);
    expect(await violationsInBothThemes(page, undefined, keep)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await keepScreenshot(page, 'proposals-390');
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('are decided on every tab of a document, and for all remaining documents with a new tag', async () => {
    const { page } = desk;
    const { documents } = await desk.call<{ documents: Document[] }>('GET', '/documents?limit=100');
    const one = documents.find(({ document_name }) => document_name === given[1]!.name)!;
    const bar = page.getByRole('region', { name: 'Proposal', exact: true });
    for (const tab of ['extraction', 'forms']) {
      await followLink(page, `/documents/${one.id}?tab=${tab}`);
      await bar.getByText('Invoice', { exact: true }).waitFor();
      await bar.getByRole('button', { name: 'Accept', exact: true }).waitFor();
      if (tab === 'extraction') {
        await page.getByRole('button', { name: /^Prompt: Invoice auto-created, pending review/u }).waitFor();
      }
      await keepScreenshot(page, `proposal-bar-${tab}`);
    }
    await followLink(page, `/documents/${one.id}?tab=agent`);
    const banner = page.getByRole('region', { name: 'Automatic proposal' });
    await banner.getByRole('button', { name: 'Reject' }).waitFor();
    await banner.getByText('auto-created, pending review').first().waitFor();
    await banner.getByRole('button', { name: 'More ways to accept' }).click();
    await page.getByRole('menuitem', { name: 'Accept for all 4 documents' }).waitFor();
    await page.getByRole('menuitemradio', { name: 'New tag: Invoice', checked: true }).waitFor();
    await keepScreenshot(page, 'proposal-banner');
    await followLink(page, `/documents/${one.id}`);
    await bar.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await page.getByText('Rejected “Invoice” for 1 document.').waitFor();
    expect(await bar.count()).toBe(0);
    // Undone by the button of the message, then rejected.
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('“Invoice” waits for a decision again.').waitFor();
    await bar.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await bar.waitFor({ state: 'detached' });

    await followLink(page, '/proposals');
    const kind = page.getByRole('region', { name: 'Invoice', exact: true });
    await kind.getByRole('button', { name: 'Tag: New: Invoice' }).waitFor();
    await kind.getByRole('checkbox', { name: `Choose ${given[2]!.name}` }).uncheck();
    await kind.getByRole('button', { name: 'Accept 2' }).click();
    await page.getByText('Accepted “Invoice” for 2 documents.').waitFor();
    await kind.getByText('1 document fits your prompt “Invoice”').waitFor();
    await expect.poll(() => kind.getByRole('button', { name: 'Accept', exact: true }).isEnabled()).toBe(true);
    const { prompts } = await desk.call<{ prompts: Prompt[] }>('GET', '/prompts');
    expect(prompts).toMatchObject([{ name: 'Invoice', tag_ids: [expect.any(String)] }]);
    const { proposals } = await desk.call<{ proposals: Proposal[] }>('GET', '/proposals');
    const open = proposals.find(({ name }) => name === 'Invoice')!;
    await followLink(page, `/proposals?kind=${open.id}`);
    await kind.getByRole('rowheader', { name: given[2]!.name }).waitFor();
    await kind.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByText('Accepted “Invoice” for 1 document.').waitFor();
    await kind.waitFor({ state: 'detached' });

    // The only document of its kind: its schema and prompt are deleted too.
    const receipt = documents.find(({ document_name }) => document_name === given[4]!.name)!;
    await followLink(page, `/documents/${receipt.id}`);
    await page.getByRole('region', { name: 'Extracted values' }).waitFor();
    await bar.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.getByText('Rejected “Receipt” for 1 document.').waitFor();
    await page.waitForTimeout(500);
    expect(complaints).toEqual([]);
  });
});
