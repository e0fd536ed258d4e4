import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import type { Product } from '../../product/product.ts';

const note = 'Invoice\nInvoice number: INV-5\nInvoice date: March 9, 2026\nTotal: 5.00\n';

/** Signs in with the link, uploads the invoice and opens its chat. */
export const openInvoice = (browser: Browser, product: Pick<Product, 'link'>): Promise<Page> =>
  openChat(browser, product, path.resolve(import.meta.dirname, '../../corpus/contoso-invoice.pdf'));

/** The same with a text file, for tests of the conversation alone: a PDF takes a second of processor time in each window. */
export const openNote = (browser: Browser, product: Pick<Product, 'link'>): Promise<Page> =>
  openChat(browser, product, { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from(note) });

async function openChat(
  browser: Browser,
  product: Pick<Product, 'link'>,
  file: string | { name: string; mimeType: string; buffer: Buffer },
): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  page.setDefaultTimeout(45_000);
  page.setDefaultNavigationTimeout(60_000);
  await page.goto(product.link);
  await page.getByLabel('Files to upload').first().setInputFiles(file);
  const name = typeof file === 'string' ? path.basename(file) : file.name;
  await page.getByRole('link', { name }).first().click();
  await page.getByRole('tab', { name: 'Agent' }).click();
  await page.getByLabel('Message to the agent').waitFor();
  return page;
}

/** Waits until no turn runs, then sends a message. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await page.getByLabel('Message to the agent').fill(text);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** The newest pending card of a tool. */
export const waitingCard = (page: Page, name: string): Locator => cardIn(page, 'waiting', name);

/** The newest card in this state with this text. */
export const cardIn = (page: Page, state: string, text: string): Locator =>
  page.locator(`[data-card][data-state="${state}"]`).filter({ hasText: text }).last();
