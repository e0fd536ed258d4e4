import type { Document, Extraction } from '@docwright/contract';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPdf, line } from '../../../packages/documents/src/testing/build-pdf.ts';
import { chromiumPath, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { cardIn, say, waitingCard } from '../chat/chat-page.ts';
import { openDesk, type Desk } from '../browser/document-setup.ts';
import { startPacedModel, type PacedModel } from '../browser/paced-model.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

describe.skipIf(chromiumPath === undefined)('long documents', () => {
  let model: PacedModel;
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;
  let extractions = 0;
  const isContinued = Promise.withResolvers<void>();

  beforeAll(async () => {
    model = await startPacedModel((_message, round, request) => {
      if (!request.includes('"tools"')) {
        extractions += 1;
        // The first piece is answered at once, the others when the test has seen the progress.
        const hold = extractions === 1 ? {} : { hold: { from: 0, until: isContinued.promise } };
        return { pieces: ['{"number": "N-1"}'], ...hold };
      }
      const parts = ['First', 'Second'].map((name, at) => ({ name, pages: [[at + 1, at + 1]] }));
      if (round === 0)
        return { calls: [{ name: 'use_tool', arguments: { name: 'split_document', arguments: { parts } } }] };
      return { pieces: ['Two documents.'] };
    });
    [product, browser] = await Promise.all([shareProduct({ model }), launchBrowser()]);
    desk = await openDesk(browser, product);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
    model.stop();
  });

  it('shows the cost of an extraction before it starts, sends no request if cancelled, and shows its progress', async () => {
    const { page } = desk;
    const file = await desk.upload('long.txt', Buffer.from(`Number N-1\n${`${'word '.repeat(18)}\n`.repeat(8_000)}`));
    await desk.read(file);
    const prompt = await desk.prompt('Numbers', { number: { type: 'string' } });
    const estimate = await desk.call<{ requests: number; pages: number; spu_estimated: number }>(
      'POST',
      `/documents/${file.id}/extractions/estimate`,
      { prompt_revid: prompt.prompt_revid },
    );
    expect(estimate.requests).toBeGreaterThan(1);
    await desk.open(file, '?tab=extraction');
    const run = page.getByRole('button', { name: 'Run' }).first();
    await run.click();
    const dialog = page.getByRole('dialog', { name: 'Extract from a long document?' });
    const [pages, requests, spu] = [estimate.pages, estimate.requests, estimate.spu_estimated].map((count) =>
      count.toLocaleString('en-US'),
    );
    await dialog.getByText(`The ${pages} pages take ${requests} requests to the model, about ${spu} SPU.`).waitFor();
    await keepScreenshot(page, 'long-document-estimate');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(extractions).toBe(0);
    await run.click();
    await dialog.getByRole('button', { name: 'Extract', exact: true }).click();
    await page.getByText(`Extracting: 1 of ${estimate.requests} parts`).waitFor();
    isContinued.resolve();
    await page.getByRole('region', { name: 'Extraction in progress' }).waitFor({ state: 'detached' });
    await page.getByText('N-1').first().waitFor();
    const { is_complete, result } = await desk.call<Extraction>(
      'GET',
      `/documents/${file.id}/extractions/${prompt.prompt_revid}`,
    );
    expect({ is_complete, result }).toEqual({ is_complete: true, result: { number: 'N-1' } });
    expect(extractions).toBe(estimate.requests);
  });

  it('leads from the card of a split to the new documents', async () => {
    const { page } = desk;
    const pages = ['Invoice A-1', 'Invoice B-2'].map((text) => ({ content: line(text, 50, 700, 16) }));
    const file = await desk.upload('two.pdf', buildPdf({ pages }));
    await desk.read(file);
    await desk.open(file);
    await page.getByRole('tab', { name: 'Agent' }).click();
    await say(page, 'Split this file.');
    await waitingCard(page, 'Split').waitFor();
    await page.keyboard.press('y');
    const card = cardIn(page, 'done', 'Split');
    await card.getByRole('list', { name: 'New documents' }).waitFor();
    await keepScreenshot(page, 'split-card');
    await card.getByRole('link', { name: 'Second.pdf' }).click();
    await page.getByRole('heading', { name: 'Second.pdf' }).waitFor();
    const { documents } = await desk.call<{ documents: Document[] }>('GET', '/documents?limit=100');
    const second = documents.find(({ document_name }) => document_name === 'Second.pdf')!;
    expect(new URL(page.url()).pathname).toBe(`/documents/${second.id}`);
    expect(second.split_from).toEqual({ document_id: file.id, pages: [[2, 2]] });
  });
});
