import type { Document } from '@docwright/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openDesk, type Desk } from '../browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';
import { startWire, type Wire } from '../browser/wire.ts';

const text = (name: string) => Buffer.from(`${name}\nTotal: 18.09\n`.repeat(60));
const focused = (page: Page) => page.evaluate<string>('document.activeElement?.tagName ?? ""');
const pageOverflow = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollHeight - document.documentElement.clientHeight');

describe.skipIf(chromiumPath === undefined)('navigation', () => {
  let product: SharedProduct;
  let browser: Browser;
  let wire: Wire;
  let desk: Desk;
  let page: Page;
  let document: Document;
  const hold = (address: RegExp, until: Promise<void>) =>
    page.route(address, async (route) => {
      await until;
      await route.continue();
    });

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    wire = await startWire(product.url);
    desk = await openDesk(browser, product);
    ({ page } = desk);
    document = await desk.upload('letter.txt', text('letter.txt'));
    await desk.upload('note.txt', text('note.txt'));
    await desk.read(document);
  });
  afterAll(async () => {
    wire.stop();
    await browser.close();
    await product.stop();
  });

  it('reaches the first row of a list within five presses of Tab', async () => {
    await followLink(page, '/');
    await page.getByRole('link', { name: 'letter.txt' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement?.closest("tbody") !== null')).toBe(true);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Agent' }).waitFor();
  });

  it('shows the rows of the list only once it knows what stands above them: they would move from under the pointer', async () => {
    const known = Promise.withResolvers<void>();
    await hold(/\/audit/u, known.promise);
    const listed = page.waitForResponse(/\/documents\?/u);
    await page.goto(product.url);
    await listed;
    const rows = page.locator('tbody a');
    expect(await rows.count()).toBe(0);
    known.resolve();
    await rows.first().waitFor();
    expect(await page.getByRole('region', { name: 'First steps' }).isVisible()).toBe(true);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('never leaves the focus on the body: an opened document has it, or the message to the agent', async () => {
    await followLink(page, '/');
    await page.getByRole('link', { name: 'letter.txt' }).click();
    await page.getByRole('tab', { name: 'Agent' }).waitFor();
    await expect.poll(() => focused(page)).not.toBe('BODY');
    await page.getByRole('button', { name: 'Ask the agent' }).click();
    await expect.poll(() => focused(page)).toBe('TEXTAREA');
    await page.keyboard.type('typed at once');
    expect(await page.getByLabel('Message to the agent').inputValue()).toBe('typed at once');
    await page.getByRole('tab', { name: 'Extraction' }).click();
    await page.getByRole('tab', { name: 'Agent' }).click();
    await expect.poll(() => focused(page)).toBe('TEXTAREA');
  });

  it('goes to the next page although the Agent tab finds its conversation while that page loads', async () => {
    await followLink(page, '/');
    const { id } = await desk.upload('asked.txt', text('asked.txt'));
    const message = { role: 'user', content: 'create a tag called Urgent' };
    await desk.call('POST', `/documents/${id}/chat`, { messages: [message] });
    const [found, loaded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await hold(/chat\/threads/u, found.promise);
    await hold(/run-list-page/u, loaded.promise);
    await followLink(page, `/documents/${id}?tab=agent`);
    await page.getByLabel('Message to the agent').waitFor();
    const [asked] = await Promise.all([
      page.waitForRequest(/run-list-page/u),
      page.evaluate(`__TSR_ROUTER__.history.push('/runs')`),
    ]);
    expect(asked.url()).toContain('/assets/');
    const answered = page.waitForResponse(/latest_turn/u);
    found.resolve();
    await (await answered).finished();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    loaded.resolve();
    await page.getByRole('heading', { name: 'Runs' }).first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/runs');
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('shows an unknown address as such, with a way on', async () => {
    await page.goto(`${product.url}/no/such/page`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await keepScreenshot(page, 'page-not-found');
    await page.getByRole('link', { name: 'Go to documents' }).click();
    await page.getByRole('heading', { name: 'Documents' }).waitFor();
  });

  it.each(['', '/schemas', '/settings', '/runs'])('has no scrollbar of its own on the page at “%s”', async (path) => {
    await page.goto(product.url + path);
    await page.getByRole('main').getByRole('heading').first().waitFor();
    expect(await pageOverflow(page)).toBe(0);
  });

  it('has no scrollbar of the page on a document with the agent and a long answer', async () => {
    await desk.open(document, '?tab=agent');
    await page.getByLabel('Message to the agent').fill('Read the whole text and repeat it');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copy the answer' }).first().waitFor();
    expect(await pageOverflow(page)).toBe(0);
  });

  it('resizes the panel with the pointer and the keyboard, and remembers its size', async () => {
    await desk.open(document);
    const splitter = page.getByRole('slider', { name: 'Width of the panel' });
    const before = (await splitter.boundingBox())!;
    await page.mouse.move(before.x + before.width / 2, 400);
    await page.mouse.down();
    await page.mouse.move(before.x + 100, 400, { steps: 5 });
    await page.mouse.up();
    await expect.poll(async () => (await splitter.boundingBox())!.x - before.x).toBeGreaterThan(80);
    await page.reload();
    await expect.poll(async () => (await splitter.boundingBox())!.x - before.x).toBeGreaterThan(80);
    await splitter.focus();
    await page.keyboard.press('Home');
    await expect.poll(async () => (await splitter.boundingBox())!.x - before.x).toBeLessThan(0);
  });

  it('says that the server cannot be reached, and continues by itself when it is back', async () => {
    const cookies = await page.context().cookies();
    const context = await browser.newContext();
    await context.addCookies(cookies);
    const other = await context.newPage();
    await other.goto(wire.url);
    await other.getByRole('link', { name: 'letter.txt' }).waitFor();
    wire.cut();
    await other.getByText('Connection to the server lost').waitFor({ timeout: 8000 });
    await keepScreenshot(other, 'connection-lost');
    wire.restore();
    await other.getByText('Connection to the server lost').waitFor({ state: 'detached', timeout: 8000 });
    await context.close();
  });

  it('says that the session has ended, only if it has', async () => {
    const cookies = await page.context().cookies();
    const context = await browser.newContext();
    await context.addCookies(cookies);
    const other = await context.newPage();
    await other.goto(product.url);
    await other.getByRole('link', { name: 'letter.txt' }).waitFor();
    await context.clearCookies();
    const ended = other.getByRole('heading', { name: 'Your session has ended' });
    // A request of the list's own can be the first one that is refused: then nothing is left to click.
    await Promise.race([ended.waitFor(), other.getByRole('link', { name: 'letter.txt' }).click()]);
    await ended.waitFor();
    await context.close();
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(product.url);
    await stranger.getByRole('heading', { name: 'Sign in to Docwright' }).waitFor();
    expect(await stranger.getByText('Your session has ended').count()).toBe(0);
  });
});
