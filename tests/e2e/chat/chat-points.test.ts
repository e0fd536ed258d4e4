import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { cardIn, openNote, say, waitingCard } from './chat-page.ts';
import { startPacedModel, type PacedAnswer, type PacedModel } from '../browser/paced-model.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at} `);
const tag = (name: string) => ({ name: 'create_tag', arguments: { name } });
const questions = [
  {
    header: 'Which date',
    question_text: 'Which date counts?',
    options: [{ label: 'The invoice date' }, { label: 'The due date' }],
  },
  { header: 'Currency', question_text: 'Which currency do you book in?', options: [] },
];

/** Held back until the test has seen the model think. */
const thinking = Promise.withResolvers<void>();
const never = new Promise<void>(() => undefined);

function answerTo(message: string, round: number): PacedAnswer {
  if (round === 0 && message.includes('three tags')) return { calls: [tag('One'), tag('Two'), tag('Three')] };
  if (round === 0 && message.includes('rename'))
    return { calls: [{ name: 'update_document', arguments: { document_name: 'renamed.txt' } }] };
  if (round === 0 && message.includes('ask me'))
    return { calls: [{ name: 'ask_questions', arguments: { questions } }] };
  if (message.includes('think'))
    return {
      thoughts: words(12),
      pieces: ['Thought through.'],
      everyMs: 20,
      hold: { from: 6, until: thinking.promise },
    };
  if (message.includes('Analyse this document')) return { pieces: words(30), everyMs: 50 };
  if (message.includes('slowly')) return { pieces: words(200), everyMs: 20, hold: { from: 30, until: never } };
  return { pieces: ['That ', 'is ', 'done.'], everyMs: 1 };
}

describe.skipIf(chromiumPath === undefined)('the chat', () => {
  let model: PacedModel;
  let product: SharedProduct;
  let browser: Browser;
  let page: Page;
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' });
  const focusedCard = () => page.evaluate(`document.activeElement?.closest('[data-card]')?.ariaLabel`);

  beforeAll(async () => {
    model = await startPacedModel(answerTo);
    [product, browser] = await Promise.all([shareProduct({ model }), launchBrowser()]);
    page = await openNote(browser, product);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
    model.stop();
  });

  it('decides on the cards of a batch by keys, one by one or all at once, and says why no message can be sent', async () => {
    await say(page, 'Make three tags');
    await expect.poll(focusedCard).toBe('Create tag One');
    await page.getByText('Approve or reject the 3 steps above').waitFor();
    await page.getByLabel('Message to the agent').fill('y n e');
    expect(await button('Send').isDisabled()).toBe(true);
    expect(await waitingCard(page, 'Create tag').count()).toBe(1);
    await cardIn(page, 'waiting', 'One').focus();
    await page.keyboard.press('ArrowDown');
    expect(await focusedCard()).toBe('Create tag Two');
    await page.keyboard.press('n');
    await page.keyboard.type('Two is taken');
    await page.keyboard.press('Enter');
    await page.getByText('Sent once you decide the others.').waitFor();
    expect(await page.getByText('Waiting for you').count()).toBe(2);
    await keepScreenshot(page, 'points-batch');
    await button('Approve all 2').click();
    await cardIn(page, 'done', 'One').waitFor();
    await cardIn(page, 'done', 'Three').waitFor();
    await cardIn(page, 'rejected', 'Two').getByText('Two is taken').waitFor();
    // The text that was typed while the turn ran is still there.
    expect(await page.getByLabel('Message to the agent').inputValue()).toBe('y n e');
  });

  it('refuses a call whose object has changed since the proposal, and says so on the card', async () => {
    await say(page, 'Please rename it');
    const card = waitingCard(page, 'Update document');
    // A diff of removed and added text, not two whole texts.
    await keepScreenshot(page, 'points-difference');
    await card.getByText('Name: note.txt').waitFor();
    await card.getByText('Name: renamed.txt').waitFor();
    const { pathname } = new URL(page.url());
    const me = await (await page.request.get(`${product.url}/v0/me`)).json();
    const changed = await page.request.patch(`${product.url}/v0/orgs/${me.organizations[0].id}${pathname}`, {
      headers: { origin: product.url },
      data: { document_name: 'somebody-was-here.txt' },
    });
    expect(changed.ok()).toBe(true);
    await page.getByRole('heading', { name: 'somebody-was-here.txt' }).waitFor();
    await card.getByRole('button', { name: /^Approve/u }).click();
    await page.locator('[data-card][data-state="stale"]').waitFor();
    await keepScreenshot(page, 'points-stale');
  });

  it('opens thinking as it streams, with a timer, and closes it after it has ended', async () => {
    await say(page, 'First think');
    const line = page.getByRole('button', { name: /^Thinking… \d+ s$/u });
    await line.waitFor();
    expect(await line.getAttribute('aria-expanded')).toBe('true');
    await page.getByText(/word3 /u).waitFor();
    thinking.resolve();
    const thought = page.getByRole('button', { name: /^Thought for \d+ s$/u });
    await thought.waitFor();
    await expect.poll(() => thought.getAttribute('aria-expanded'), { timeout: 5000 }).toBe('false');
    // Also closed, with its duration, after a reload.
    await page.getByText('Thought through.').waitFor();
    await page.reload();
    await thought.waitFor();
    expect(await thought.getAttribute('aria-expanded')).toBe('false');
  });

  it('asks at Esc before it stops, and keeps the written text', async () => {
    await say(page, 'Tell me slowly');
    await page.getByText(/word5 /u).waitFor();
    await page.keyboard.press('Escape');
    await button('Let it continue').click();
    await page.getByText(/word20 /u).waitFor();
    await page.keyboard.press('Escape');
    await button('Stop it').click();
    await page.getByText('You stopped the agent here.').waitFor();
    await page.getByText(/word20 /u).waitFor();
    expect(await page.getByText(/word30/u).count()).toBe(0);
  });

  it('asks questions with options and a field for an own answer', async () => {
    await say(page, 'Do ask me');
    await page.getByText('Answer above to continue.').waitFor();
    await page.getByRole('radio', { name: 'The due date' }).check();
    expect(await button('Answer').isDisabled()).toBe(true);
    await page.getByLabel('Another answer to: Which currency do you book in?').fill('Swiss francs');
    // A half-answered question survives leaving the page.
    await page.reload();
    expect(await page.getByRole('radio', { name: 'The due date' }).isChecked()).toBe(true);
    expect(await page.getByLabel('Another answer to: Which currency do you book in?').inputValue()).toBe(
      'Swiss francs',
    );
    await keepScreenshot(page, 'points-questions');
    await button('Answer').click();
    const card = cardIn(page, 'done', 'Questions for you');
    await card.getByText('The due date').waitFor();
    await card.getByText('Swiss francs').waitFor();
    await button('Send').waitFor();
  });

  it('copies an answer, and continues from an edited earlier message', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button('Copy the answer').last().click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('That is done.');
    const messages = page.getByRole('log').getByRole('article', { name: 'You' });
    expect(await messages.count()).toBe(5);
    await messages.nth(2).hover();
    await messages.nth(2).getByRole('button', { name: 'Edit this message' }).click();
    const field = page.getByLabel('Edit the message');
    await field.fill('Something else');
    // An unfinished edit survives leaving the page.
    await page.reload();
    expect(await field.inputValue()).toBe('Something else');
    await field.press('Enter');
    await page.getByRole('log').getByText('Something else').waitFor();
    await button('Send').waitFor();
    expect(await messages.count()).toBe(3);
    await page.reload();
    await page.getByRole('log').getByText('Something else').waitFor();
    expect(await messages.count()).toBe(3);
  });

  it('runs writes without asking only if the badge says so', async () => {
    await button('Asks before changes').click();
    await page.getByRole('radio', { name: /^Run everything automatically/u }).check();
    await page.keyboard.press('Escape');
    await button('Runs everything automatically').waitFor();
    await say(page, 'Make three tags, named anew');
    await button('Send').waitFor();
    expect(await page.locator('[data-card][data-state="waiting"]').count()).toBe(0);
    await keepScreenshot(page, 'points-unasked');
    await button('Runs everything automatically').click();
    await page.getByRole('radio', { name: /^Ask before every change/u }).check();
    await page.keyboard.press('Escape');
    await page.getByText(/^This answer [\d,.]+K? tokens/u).waitFor();
    await page.getByText(/^Conversation [\d,.]+K?$/u).waitFor();
    await page.getByText(/^\d+ of \d+ messages in context$/u).waitFor();
  });

  it('shows a running preparation, and the reason of a failed one', async () => {
    await button(/^Actions for /u).click();
    await page.getByRole('menuitem', { name: 'Prepare automatically…' }).click();
    await button('Prepare 1 document').click();
    const banner = page.getByRole('region', { name: 'Automatic proposal' });
    await banner.getByText('The agent is preparing this document.').waitFor();
    await banner.getByText('Automatic preparation failed').waitFor();
    await keepScreenshot(page, 'points-failed');
    await banner.getByRole('button', { name: 'Try again' }).click();
    await banner.getByText('The agent is preparing this document.').waitFor();
    // The proposals page shows the same for documents without a proposal, with the next step.
    const { pathname, search } = new URL(page.url());
    await followLink(page, '/proposals');
    await page.getByText(/: no proposal\. /u).waitFor();
    await keepScreenshot(page, 'points-no-proposal');
    await button(/^Retry /u).click();
    await page.getByText(/^Preparing 1 document\./u).waitFor();
    await followLink(page, pathname + search);
  });

  it('lists conversations by day, each with its name and its draft', async () => {
    await page.getByLabel('Message to the agent').fill('half a thought');
    await button('New conversation').last().click();
    await say(page, 'Another conversation');
    await button('Send').waitFor();
    await button(/^Conversations: /u).click();
    const dialog = page.getByRole('dialog', { name: 'Conversations' });
    await dialog.getByRole('heading', { name: 'Today' }).waitFor();
    await dialog.getByRole('button', { name: 'Rename “Another conversation”' }).click();
    await dialog.getByLabel('Name of the conversation').fill('Kept for later');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Search the conversations').fill('kept');
    await dialog.getByText('Kept for later').waitFor();
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1);
    await dialog.getByLabel('Search the conversations').fill('');
    await keepScreenshot(page, 'points-threads');
    await dialog.getByRole('button', { name: /^Make three tags/u }).click();
    expect(await page.getByLabel('Message to the agent').inputValue()).toBe('half a thought');
    await button(/^Conversations: /u).click();
    await dialog.getByRole('button', { name: 'Delete “Kept for later”' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(1);
    await page.keyboard.press('Escape');
  });
});
