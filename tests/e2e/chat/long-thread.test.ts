import { startEmbeddedMongo } from '@docwright/embedded-mongo';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase } from '../../../apps/api/src/platform/database/connection.ts';
import {
  createThreadRepositories,
  type NewThreadMessage,
} from '../../../apps/api/src/features/threads/thread-repository.ts';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openNote, say } from './chat-page.ts';
import { mainThreadTasks } from '../browser/main-thread-tasks.ts';
import { startPacedModel, type PacedModel } from '../browser/paced-model.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const answer = (at: number) => `Answer **${at}** about \`field_${at}\`:

| Position | Amount |
|---|---:|
| ${at} | ${at}.00 |

- It stands on [page 1](page:1).
- It was checked.`;

/** Alternating questions and answers, every tenth answer with a card. */
const messages = Array.from({ length: 500 }, (_, at): NewThreadMessage[] => [
  { role: 'user', content: `Question ${at} about the invoice` },
  {
    role: 'assistant',
    content: answer(at),
    ...(at % 10 === 0 ? { tool_calls: [{ id: `call-${at}`, name: 'get_ocr_text', arguments: '{}' }] } : {}),
  },
]).flat();

describe.skipIf(chromiumPath === undefined)('a thread of 1,000 messages', () => {
  let model: PacedModel;
  let product: SharedProduct;
  let browser: Browser;
  let page: Page;
  let finishAnswer: () => void;
  const latest = () => page.getByRole('button', { name: 'Latest' });
  const list = `document.querySelector('[role="log"]').parentElement`;
  const fromEnd = () => page.evaluate<number>(`${list}.scrollHeight - ${list}.clientHeight - ${list}.scrollTop`);
  const scrollUp = async (by: number) => {
    const box = await page.getByRole('log').boundingBox();
    await page.mouse.move((box?.x ?? 0) + 100, 400);
    await page.mouse.wheel(0, -by);
    await latest().waitFor();
  };
  const leaveEnd = async () => {
    await expect.poll(fromEnd).toBeLessThan(2);
    await scrollUp(1000);
  };

  beforeAll(async () => {
    const pieces = Array.from({ length: 120 }, (_, at) => `Line ${at} of a new answer.\n\n`);
    model = await startPacedModel((message) => ({
      pieces,
      everyMs: 20,
      ...(message.includes('Wait') ? { hold: { from: 100, until: new Promise((go) => (finishAnswer = go)) } } : {}),
    }));
    [product, browser] = await Promise.all([shareProduct({ model }), launchBrowser()]);
    page = await openNote(browser, product);
    const documentId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const me = await (await page.request.get(`${product.url}/v0/me`)).json();
    const organizationId = me.organizations[0].id;
    const database = await startEmbeddedMongo({ dataDir: product.dataDir });
    const connection = await connectDatabase(database.uri);
    const threads = createThreadRepositories(connection)({ organizationId, documentId, userId: me.user.id });
    const working_state = { schema_revid: null, prompt_revid: null, extraction: null };
    const thread = await threads.create({ title: 'A long one', working_state, messages });
    await connection.close();
    await database.stop();
    await followLink(page, `/documents/${documentId}?tab=agent&thread=${thread.id}`);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
    model.stop();
  });

  it('opens at its end within two seconds, and scrolls without blocking the page', async () => {
    await page.getByText('Question 499 about the invoice').waitFor();
    const tasks = await mainThreadTasks(browser, page, async () => {
      await page.reload();
      await page.getByText('Question 499 about the invoice').waitFor();
    });
    expect(tasks.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(2000);
    await expect.poll(fromEnd).toBeLessThan(2);
    const box = await page.getByRole('log').boundingBox();
    await page.mouse.move((box?.x ?? 0) + 100, 400);
    const scrolling = await mainThreadTasks(browser, page, async () => {
      for (let turn = 0; turn < 30; turn += 1) {
        await page.mouse.wheel(0, -1500);
        await page.waitForTimeout(16);
      }
    });
    expect(scrolling.filter((ms) => ms > 50)).toEqual([]);
    await latest().waitFor();
    await keepScreenshot(page, 'long-thread-up');
  });

  it('stays at the reader’s place while an answer streams, and follows again from the end', async () => {
    await say(page, 'Wait, tell me more');
    await page.getByText('Line 3 of a new answer.').waitFor();
    await scrollUp(3000);
    await page.waitForTimeout(300);
    // A message: the list itself moves when earlier messages are rendered above.
    const read = await page.evaluateHandle<{ getBoundingClientRect(): { y: number } }>(
      `[...document.querySelector('[role="log"]').children].find((one) => one.getBoundingClientRect().bottom > 400)`,
    );
    // A browser moves the list to the place that it holds when it draws, not when it measures.
    const drawn = 'new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))';
    const place = async () => {
      await page.evaluate(drawn);
      return await read.evaluate((one) => one.getBoundingClientRect().y);
    };
    const before = await place();
    await page.getByText('Line 90 of a new answer.').waitFor();
    await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(2);
    await latest().click();
    finishAnswer();
    await page.getByText('Line 119 of a new answer.').waitFor();
    await expect.poll(fromEnd).toBeLessThan(2);
    expect(await latest().count()).toBe(0);
  });

  it('goes to its end if the button moves while it is pressed', async () => {
    await page.reload();
    await page.getByText('Question 499 about the invoice').waitFor();
    await leaveEnd();
    const { x, y, width, height } = (await latest().boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.mouse.down();
    // As when an answer ends and the line with its tokens appears below the list.
    await page.setViewportSize({ width: 1280, height: 770 });
    await expect.poll(async () => (await latest().boundingBox())?.y).toBeLessThan(y - 20);
    await page.mouse.up();
    await expect.poll(fromEnd).toBeLessThan(2);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('keeps the reader’s place at the top while earlier messages are rendered', async () => {
    await page.reload();
    const question = page.getByText('Question 488 about the invoice', { exact: true });
    await question.waitFor();
    await leaveEnd();
    const place = () => question.evaluate((one) => Math.round(one.getBoundingClientRect().y));
    await page.evaluate(`${list}.scrollTop = 0`);
    const before = await place();
    await page.getByText('Question 478 about the invoice', { exact: true }).waitFor({ state: 'attached' });
    await page.waitForTimeout(500);
    expect(Math.abs((await place()) - before)).toBeLessThan(30);
    expect(await page.getByText('Question 440 about the invoice', { exact: true }).count()).toBe(0);
  });

  it('streams into such a long thread without blocking the page', async () => {
    const tasks = await mainThreadTasks(browser, page, async () => {
      await say(page, 'Once more');
      await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    });
    expect(tasks.filter((ms) => ms > 50)).toEqual([]);
  });
});
