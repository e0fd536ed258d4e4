import fs from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationsInBothThemes, wcag22 } from '../browser/axe.ts';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { excelFile, wordFile } from '../documents/document-files.ts';
import { openDesk, type Desk } from '../browser/document-setup.ts';
import { startPacedModel, type PacedAnswer, type PacedModel } from '../browser/paced-model.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';
import { startWire, type Wire } from '../browser/wire.ts';

const invoice = path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf');
const files: [name: string, content: Uint8Array][] = [
  ['contoso-invoice.pdf', fs.readFileSync(invoice)],
  ['letter.docx', wordFile('The tenant pays rent on the first day of each month.')],
  ['figures.xlsx', excelFile('Turnover')],
  ['page.html', Buffer.from('<h1>Terms</h1><p>Widgets are delivered by drone.</p>')],
  ['note.txt', Buffer.from('Call the bank about the lease.')],
  ['mail.eml', Buffer.from('From: a@example.com\nTo: b@example.com\nSubject: Lease\n\nThe lease is signed.\n')],
  ['broken.pdf', Buffer.from('%PDF-1.4\nnothing that a reader could use')],
];

const composer = (page: Page) => page.getByLabel('Message to the agent');
const log = (page: Page) => page.getByRole('log', { name: 'Conversation' });
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const idle = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).waitFor();

/** Waits until the page can send: it sends nothing while a message is being answered. */
async function say(page: Page, message: string): Promise<void> {
  await idle(page);
  await composer(page).fill(message);
  await page.keyboard.press('Enter');
}

/** The accessibility test covers the idle page; this covers the blocked state and a phone's width. */
async function expectAccessible(page: Page): Promise<void> {
  const keep = (theme: string) => keepScreenshot(page, `setup-proposed-${theme}`);
  expect(await violationsInBothThemes(page, wcag22, keep)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  for (const tab of ['Setup', 'Agent']) {
    await page.getByRole('tab', { name: tab }).click();
    expect(await page.evaluate('document.documentElement.scrollWidth'), tab).toBe(390);
    await keepScreenshot(page, `setup-proposed-phone-${tab}`);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

let browser: Browser;
beforeAll(async () => {
  if (chromiumPath !== undefined) browser = await launchBrowser();
});
afterAll(async () => browser?.close());

describe.skipIf(chromiumPath === undefined)('guided setup', () => {
  let product: SharedProduct;
  let desk: Desk;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    product = await shareProduct();
    desk = await openDesk(browser, product);
    page = desk.page;
    page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`));
    const uploaded = await Promise.all(files.map(async ([name, content]) => desk.upload(name, content)));
    await Promise.all(uploaded.map(async (document) => desk.read(document).catch(() => 'One of them cannot be read.')));
  });
  afterAll(async () => product.stop());

  it('starts with documents selected in the list, and reuses their source', async () => {
    await followLink(page, '/');
    await page.getByLabel('Select letter.docx').check();
    await page.getByLabel('Select note.txt').check();
    await page.getByRole('button', { name: 'Guided setup…' }).click();
    await page.getByLabel('Name of the source').fill('Two of them');
    await page.getByRole('button', { name: 'Start with 2 documents' }).dblclick();
    await composer(page).waitFor();
    const { conversations } = await desk.callV2<{ conversations: unknown[] }>('GET', '/agent/conversations');
    expect(conversations).toHaveLength(1);

    await followLink(page, '/setup/sources');
    await page.getByRole('link', { name: 'Two of them' }).click();
    await page.getByRole('button', { name: 'Start with 2 documents' }).waitFor();
    await page.getByRole('button', { name: 'Find anything' }).click();
    await page.getByRole('searchbox').fill('guided setup');
    await page.getByRole('list', { name: 'Matches' }).getByText('Guided setup', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Guided setup', exact: true }).waitFor();
  });

  it('leads from documents to a collection', async () => {
    await page.getByRole('link', { name: 'New setup' }).first().click();
    await page.getByRole('button', { name: `Start with ${files.length} documents` }).click();
    await page.getByRole('button', { name: 'Make it searchable' }).click();
    await page.getByLabel('Steps', { exact: true }).first().waitFor();
    await idle(page);
    await expectAccessible(page);

    const analysis = region(page, 'What is in the source');
    await analysis.getByText(`${files.length} files`).waitFor();
    await analysis.getByText('Which parser reads them').waitFor();
    const trial = region(page, 'The trial');
    await trial.getByText('Cannot be applied yet').waitFor();
    expect(await trial.getByRole('link', { name: 'broken.pdf' }).getAttribute('href')).toMatch(/^\/documents\//u);

    const steps = page.getByRole('list', { name: 'Steps of the pipeline' }).getByRole('button');
    expect(await steps.count()).toBe(5);
    await say(page, 'Chunk it by headings');
    await page.getByRole('button', { name: 'Chunk: By heading, changed' }).click();
    await region(page, 'Details of Chunk').getByText('Max characters').waitFor();
    await idle(page);
    expect(await steps.filter({ hasText: 'changed' }).count()).toBe(1);
    await page.reload();
    await page.getByRole('button', { name: 'Chunk: By heading, changed' }).waitFor();
    // Steps of sub-agents are stored as long as their message.
    await log(page)
      .getByText(/\d+ steps/u)
      .first()
      .click();
    await log(page).getByText('Counts the files').waitFor();
  });

  it('applies a blocked pipeline only after a second confirmation, or after the blocker is resolved', async () => {
    await say(page, 'Apply it as “Leases”');
    await idle(page);
    await page.getByRole('button', { name: 'Apply…' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Apply the pipeline' });
    await dialog.getByText('1 blocking question:').waitFor();
    const force = dialog.getByRole('button', { name: 'Apply anyway' });
    expect(await force.isDisabled()).toBe(true);
    await dialog.getByLabel('Apply anyway').check();
    expect(await force.isDisabled()).toBe(false);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: /^Resolve:/u }).click();
    await page.getByPlaceholder('Or in your own words').fill('The broken file is known');
    await page.keyboard.press('Enter');
    // The list moves once the form is gone.
    await page.getByPlaceholder('Or in your own words').waitFor({ state: 'detached' });
    await page.getByText('2 resolved').or(page.getByText('1 resolved')).click();
    await page.getByText('The broken file is known').waitFor();

    await say(page, 'Apply it as “Leases”');
    const question = region(page, 'Apply the pipeline?');
    await question.getByText('Leases').waitFor();
    await question.getByRole('button', { name: 'Apply…' }).click();
    expect(await dialog.getByLabel('Name of the collection').inputValue()).toBe('Leases');
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByText('This conversation ended with its collection.').waitFor();
    await page.locator('a:focus', { hasText: 'Open the collection' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/collections\/[0-9a-f]{24}$/u);
    await page.getByRole('heading', { name: 'Leases' }).waitFor();

    await followLink(page, '/setup');
    await page.getByRole('row', { name: /Applied.*Its collection/u }).waitFor();
    expect(complaints).toEqual([]);
  });
});

const summary = JSON.stringify({
  success: true,
  data: {},
  uncertainties: [{ severity: 'blocking', message: 'Nobody knows which language it is.' }],
  summary: 'One file was looked at.',
});

/** Held back until the test lets the sub-agent report. */
let report = Promise.withResolvers<void>();

/** A sub-agent that reports when the test says so, and an orchestrator that runs it. */
function answerTo(_message: string, round: number, request: string): PacedAnswer {
  const isAnalyzer = request.includes('enumerate_files');
  if (isAnalyzer && round === 0) return { calls: [{ name: 'enumerate_files', arguments: {} }] };
  if (isAnalyzer) return { pieces: [' ', summary], hold: { from: 1, until: report.promise } };
  if (round === 0) return { calls: [{ name: 'spawn_source_analyzer', arguments: {} }] };
  return { pieces: ['That ', 'is ', 'all.'], everyMs: 1 };
}

describe.skipIf(chromiumPath === undefined)('a guided setup while the agent works', () => {
  let model: PacedModel;
  let product: SharedProduct;
  let desk: Desk;
  let page: Page;
  let wire: Wire;

  beforeAll(async () => {
    model = await startPacedModel(answerTo);
    product = await shareProduct({ model });
    desk = await openDesk(browser, product);
    page = desk.page;
    await desk.read(await desk.upload('note.txt', Buffer.from('Call the bank.')));
    wire = await startWire(product.url);
    await page.goto(`${wire.url}/setup/new`);
    await page.getByRole('button', { name: 'Start with 1 document' }).click();
    await composer(page).waitFor();
  });
  afterAll(async () => {
    wire.stop();
    await product.stop();
    model.stop();
  });

  const card = () => log(page).getByRole('region', { name: 'Analyzing the source' });

  it('shows a sub-agent’s steps after a reload in the middle, and then its result', async () => {
    await say(page, 'Look at it');
    await card().getByText('Counts the files').waitFor();
    await composer(page).fill('And then');
    await page.reload();
    await card().getByText('Counts the files').waitFor();
    expect(await log(page).getByText('Look at it', { exact: true }).count()).toBe(1);
    expect(await composer(page).inputValue()).toBe('And then');
    report.resolve();
    await page.getByText('Nobody knows which language it is.').waitFor();
    await log(page).getByText('That is all.').waitFor();
    expect(await log(page).getByRole('article', { name: 'Agent' }).count()).toBe(1);
    await card().getByText('One file was looked at.').waitFor();
  });

  it('continues after the connection breaks, and can be stopped', async () => {
    report = Promise.withResolvers();
    await say(page, 'Look again');
    await card().last().getByText('Counts the files').waitFor();
    wire.cut();
    await page.getByText('The connection was lost.').waitFor();
    wire.restore();
    await page.getByText('The connection was lost.').waitFor({ state: 'detached' });
    await card().last().getByText('Counts the files').waitFor();
    expect(await log(page).getByText('Look again', { exact: true }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stop it' }).click();
    await idle(page);
    await log(page).getByText('You stopped me here.').waitFor();
  });

  it('says that another message is being answered, and keeps the typed text', async () => {
    const address = `/agent/conversations/${page.url().split('/').at(-1)}`;
    const before = await desk.callV2<object>('GET', address);
    const stale = `**/api/v2${address}`;
    await page.route(stale, (route) => route.fulfill({ json: before }));
    const elsewhere = desk.callV2('POST', `${address}/messages`, { message: 'From elsewhere' });
    await expect.poll(async () => desk.callV2('GET', address)).toMatchObject({ is_running: true });
    await say(page, 'Mine');
    await page.getByRole('alert').waitFor();
    expect(await composer(page).inputValue()).toBe('Mine');
    await page.unroute(stale);
    await log(page).getByText('From elsewhere').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await elsewhere;
    await idle(page);
    expect(await log(page).getByText('Mine', { exact: true }).count()).toBe(0);
  });
});
