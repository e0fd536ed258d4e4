import fs from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openInvoice, say, waitingCard } from '../chat/chat-page.ts';
import { startPacedModel, type PacedModel } from '../browser/paced-model.ts';
import { startProduct, type Product } from '../../product/product.ts';

const invoice = path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf');
const note = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(`The note ${name}.`) });

describe.skipIf(chromiumPath === undefined)('the list of documents and the settings', () => {
  let endpoint: PacedModel;
  let product: Product;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    endpoint = await startPacedModel(() => ({ pieces: ['Yes.'], everyMs: 1 }));
    const settings = { LLM_ALLOWED_HOSTS: new URL(endpoint.url).host };
    [product, browser] = await Promise.all([startProduct(settings), launchBrowser()]);
    page = await openInvoice(browser, product);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
    endpoint.stop();
  });

  it('lead from an answer to the objects that it mentions', async () => {
    await say(page, 'create a tag called Urgent');
    await waitingCard(page, 'Create tag')
      .getByRole('button', { name: /^Approve/u })
      .click();
    await page.getByRole('log').getByRole('link', { name: 'Urgent' }).click();
    await page.getByText('No document has what the filters above ask for.').waitFor();
    await page.getByRole('button', { name: 'Tag: Urgent' }).waitFor();
    await page.getByRole('button', { name: 'Clear the search' }).click();
  });

  it('show documents that others upload, without a reload', async () => {
    await page.getByRole('link', { name: 'contoso-invoice.pdf' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(product.url);
    await other.getByLabel('Files to upload').first().setInputFiles(['a.txt', 'b.txt', 'c.txt'].map(note));
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await page.getByRole('link', { name }).waitFor();
    await other.close();
  });

  it('keep known parameters in their address, and say when a link was used before', async () => {
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(product.link);
    await stranger.getByText('This link is not valid or was already used').waitFor();
    await stranger.goto(`${product.url}/create-account?invitation_token=abc&nonsense=1`);
    await stranger.waitForURL(/account\?invitation_token=abc$/u);
    await stranger.context().close();

    const other = await page.context().newPage();
    await other.goto(`${product.url}/runs?page=abc&state=failed`);
    await other.waitForURL(/\/runs\?state=failed$/u);
    await other.close();
  });

  it('are selected by keys and by range, and tagged together', async () => {
    const names = await page.locator('tbody a').allInnerTexts();
    await page.locator('tbody a').first().focus();
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Chosen documents').count()).toBe(0);
    await page.getByLabel(`Select ${names[0]}`).click();
    await page.getByLabel(`Select ${names[2]}`).click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page.getByRole('button', { name: 'Tags', exact: true }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Urgent' }).click();
    await page.getByText('Tagged 3 documents.').waitFor();
    await expect.poll(() => page.locator('tbody').getByText('Urgent').count()).toBe(3);
    await keepScreenshot(page, 'bulk-tagged');
  });

  it('are deleted only after a question with their number', async () => {
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog', { name: 'Delete 3 documents?' }).waitFor();
    await page.getByRole('button', { name: 'Delete 3 documents' }).click();
    await page.getByText('Deleted 3 documents.').waitFor();
    await expect.poll(() => page.locator('tbody a').allInnerTexts()).toEqual(['contoso-invoice.pdf']);
  });

  it('let the agent prepare an upload, show its log, and accept the proposal with a tag', async () => {
    await page.getByLabel('Prepare automatically').check();
    // The same bytes again would be a duplicate, which is not read.
    const buffer = Buffer.concat([fs.readFileSync(invoice), Buffer.from('\n')]);
    const file = { name: path.basename(invoice), mimeType: 'application/pdf', buffer };
    await page.getByLabel('Files to upload').first().setInputFiles(file);
    await page.getByRole('link', { name: /^Proposal ready/u }).click();
    const banner = page.getByRole('region', { name: 'Automatic proposal' });
    await banner.getByText(/and found \d+ of \d+ values/u).waitFor();
    // With motion, the log is replayed step by step.
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await banner.getByRole('button', { name: 'What it did' }).click();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Run the extraction/u })
      .waitFor();
    await keepScreenshot(page, 'proposal-replay');
    await page.keyboard.press('Escape');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await banner.getByRole('button', { name: 'More ways to accept' }).click();
    await page.getByRole('menuitemradio', { name: 'Urgent' }).click();
    await banner.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByText(/^Accepted “.*” for 1 document\.$/u).waitFor();
    await banner.waitFor({ state: 'detached' });
  });

  it('let the user refine a proposal in the chat, and show its new values at once', async () => {
    await page.getByRole('button', { name: 'Actions for contoso-invoice.pdf' }).click();
    await page.getByRole('menuitem', { name: 'Prepare automatically…' }).click();
    await page.getByRole('button', { name: 'Prepare 1 document' }).click();
    await page.getByRole('region', { name: 'Automatic proposal' }).getByRole('button', { name: 'Refine' }).click();
    await expect.poll(() => page.evaluate('document.activeElement?.ariaLabel')).toBe('Message to the agent');
    const extraction = page.getByRole('region', { name: 'Current extraction' });
    await extraction.getByRole('button', { expanded: false }).click();
    await extraction.getByText('INV-100', { exact: true }).waitFor();
    await say(page, 'set the invoice number to INV-777');
    const card = waitingCard(page, 'INV-777');
    await card.waitFor();
    // The conversation has room, whatever its header contains.
    const room = await page.locator('[data-scrolls]').boundingBox();
    expect(room?.height).toBeGreaterThan(150);
    await card.getByRole('button', { name: /^Approve/u }).click();
    await extraction.getByText('INV-777', { exact: true }).waitFor();
    await extraction.getByText('1 changed').waitFor();
    await keepScreenshot(page, 'proposal-refined');
    const address = new URL(page.url());
    const me = await (await page.request.get(`${product.url}/v0/me`)).json();
    const document = `${product.url}/v0/orgs/${me.organizations[0].id}${address.pathname}`;
    const { auto_create } = await (await page.request.get(document)).json();
    const thread = await page.request.get(`${document}/chat/threads/${address.searchParams.get('thread')}`);
    const { working_state } = await thread.json();
    const { schema_revid, prompt_revid } = auto_create;
    expect(working_state).toMatchObject({
      schema_revid,
      prompt_revid,
      extraction: { result: { invoice_number: 'INV-777' } },
    });
  });

  it('let the user reject a proposal, with everything created for it', async () => {
    const banner = page.getByRole('region', { name: 'Automatic proposal' });
    await banner.getByRole('button', { name: 'Reject' }).click();
    await page.getByRole('dialog', { name: 'Reject the proposal?' }).getByRole('button', { name: 'Reject' }).click();
    await banner.waitFor({ state: 'hidden' });
    await followLink(page, '/schemas');
    await expect.poll(() => page.locator('tbody a').count()).toBe(1);
  });

  it('are sorted by name, size and date, which the address contains', async () => {
    await followLink(page, '/');
    await page.getByLabel('Files to upload').first().setInputFiles(['Zebra.txt', 'ape.txt'].map(note));
    const names = () => page.locator('tbody a').allInnerTexts();
    await expect.poll(names).toHaveLength(4);
    await page.getByRole('button', { name: 'Name' }).click();
    await expect.poll(async () => (await names())[0]).toBe('ape.txt');
    await page.getByRole('button', { name: 'Name' }).click();
    await expect.poll(async () => (await names())[0]).toBe('Zebra.txt');
    await page.reload();
    await expect.poll(async () => (await names())[0]).toBe('Zebra.txt');
    await page.getByRole('button', { name: 'Size' }).click();
    await expect.poll(async () => (await names()).at(-1)).toBe('contoso-invoice.pdf');
  });

  it('lead from a document to the next one of the filtered list, and back to the list', async () => {
    await followLink(page, '/?q=.txt&sort=document_name');
    await page.getByRole('link', { name: 'ape.txt' }).click();
    await page.getByRole('heading', { name: 'ape.txt' }).waitFor();
    await page.keyboard.press('Control+ArrowRight');
    await page.getByRole('heading', { name: 'Zebra.txt' }).waitFor();
    await page.keyboard.press('Control+ArrowRight');
    await page.getByText('This is the last document of the list.').waitFor();
    await page.keyboard.press('Control+ArrowLeft');
    await page.getByRole('heading', { name: 'ape.txt' }).waitFor();
    await page.getByRole('button', { name: 'Back to the documents' }).click();
    await expect.poll(() => page.locator('tbody a').allInnerTexts()).toEqual(['ape.txt', 'Zebra.txt']);
  });

  it('add a provider: a private address is refused with an explanation, another one offers its models', async () => {
    await followLink(page, '/settings?section=models');
    await page.getByRole('button', { name: 'Add a provider' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Our endpoint');
    await page.getByLabel('Address').fill('http://127.0.0.1:9/v1');
    await page.getByLabel('Token').fill('secret-token-1234');
    const add = page.getByRole('button', { name: 'Add and load its models' });
    await add.click();
    await page.getByRole('alert').getByText('127.0.0.1 is a private address').waitFor();
    await page.getByLabel('Address').fill(endpoint.url);
    await add.click();
    await page.getByLabel('Use paced').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('table', { name: 'Models' }).getByText('our-endpoint/paced').waitFor();
    await keepScreenshot(page, 'provider-added');
    expect(await page.content()).not.toContain('secret-token-1234');
  });

  it('ask before the user leaves unsaved settings', async () => {
    await page.getByLabel('Use paced').uncheck();
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('Use paced').isChecked()).toBe(false);
  });

  it('delete a provider with its models after a question', async () => {
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Delete Our endpoint' }).click();
    await page.getByRole('dialog', { name: 'Delete “Our endpoint”?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('our-endpoint/paced').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Delete Our endpoint' }).waitFor({ state: 'hidden' });
  });
});
