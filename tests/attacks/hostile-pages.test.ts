import type { Run } from '@docwright/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, keepScreenshot, launchBrowser } from '../e2e/browser/browser.ts';
import { openDesk, type Desk } from '../e2e/browser/document-setup.ts';
import { shareProduct, type SharedProduct } from '../product/shared-product.ts';
import { startModelServer, type ModelServer, type Script } from '../faults/scripted-model-server.ts';

/** Each payload sets `hacked`, changes the page or navigates away if the page interprets it. */
const payloads = [
  '<img src=x onerror="window.hacked=1">',
  '"><script>window.hacked=2</script>',
  '<svg onload=window.hacked=3>',
  '<iframe srcdoc="<script>parent.hacked=4</script>"></iframe>',
  '[look](javascript:window.hacked=5)',
  '<style>*{display:none}</style>',
  '\u202etxt.exe {{constructor.constructor("window.hacked=6")()}}',
];
const hostile = payloads.join(' ');
/** The payload as a name: one line, within the limit. */
const name = `Evil ${payloads[0]}${payloads[1]}`;

/** A model that uses the payload in every answer, call and extraction. */
const script: Script = (said, round, { hasTools }) => {
  if (!hasTools) return { text: JSON.stringify({ total: `Nowhere ${hostile}` }) };
  const tag = { name: `${name} ${said}`, description: hostile };
  if (round > 0 || said === 'case-talk')
    return { text: `# ${hostile}\n\n\`\`\`html\n${hostile}\n\`\`\`\n\n| a |\n|---|\n| ${hostile} |` };
  if (said !== 'case-plan') return { calls: [{ name: 'create_tag', args: tag }] };
  const steps = ['one', 'two', 'three'].map((id) => ({
    id,
    tool: 'create_tag',
    arguments: { ...tag, name: `${tag.name} ${id}` },
  }));
  return { calls: [{ name: 'propose_plan', args: { title: name, steps } }] };
};

describe.skipIf(chromiumPath === undefined)('hostile names, documents and answers of a model', () => {
  let model: ModelServer;
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;
  let document: string;
  let run: Run;

  beforeAll(async () => {
    model = await startModelServer(script);
    [product, browser] = await Promise.all([shareProduct({ model }), launchBrowser()]);
    desk = await openDesk(browser, product);
    const uploaded = await desk.upload(`Evil ${payloads[0]}.txt`, Buffer.from(`Invoice ${hostile}\n\nTotal: 5`));
    document = uploaded.id;
    await desk.read(uploaded);
    const prompt = await desk.prompt(name, { total: { type: ['string', 'null'], description: hostile } });
    await desk.extract(uploaded, prompt);
    await desk.call('POST', '/tags', { name, description: hostile });
    await desk.call('POST', '/schedules', {
      name,
      every: '1h',
      action: 'run_extraction',
      prompt_id: prompt.prompt_id,
    });
    const chat = (message: string) =>
      desk.call('POST', `/documents/${document}/chat`, { messages: [{ role: 'user', content: message }] });
    await chat(`case-talk ${hostile}`);
    await chat(`case-write ${hostile}`);
    await chat(`case-plan ${hostile}`);
    run = await desk.call<Run>('POST', '/runs', {
      document_ids: [document],
      message: `case-run ${hostile}`,
      on_ask: 'park',
    });
    const state = async () => (await desk.call<Run>('GET', `/runs/${run.id}`)).state;
    for (let look = 0; look < 300 && !/waiting|completed|failed/u.test(await state()); look++)
      await desk.page.waitForTimeout(100);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
    model.stop();
  });

  /** Whether the page shows a payload as text or as the value of a field. */
  const shownOn = `[document.body.innerText, ...[...document.querySelectorAll('input,textarea')].map(({ value }) => value)]
    .some((text) => text.includes('onerror='))`;

  async function isShown(page: Page): Promise<boolean> {
    for (let look = 0; look < 150; look++) {
      if (await page.evaluate<boolean>(shownOn)) return true;
      await page.waitForTimeout(100);
    }
    return false;
  }

  /** The effects of payloads on the page; empty if they stayed text. */
  const alive = (page: Page): Promise<string[]> =>
    page.evaluate(`[
      ...(window.hacked === undefined ? [] : ['a script ran: ' + window.hacked]),
      ...[...document.querySelectorAll('[onerror],[onload],script:not([src]),iframe,[href^="javascript:" i],img[src="x"],main style')]
        .map((element) => element.outerHTML.slice(0, 200)),
    ]`);

  it('are text on every page that shows them', async () => {
    const { page } = desk;
    const complaints: string[] = [];
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => complaints.push(`a dialog: ${dialog.message()}`)));
    page.on('console', (message) => {
      if (/Content Security Policy/u.test(message.text())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    // The document, its form and chat; runs and their logs; the inbox with a plan; the review; the audit log.
    const addresses = [
      '/',
      `/documents/${document}`,
      `/documents/${document}?tab=forms`,
      `/documents/${document}?tab=agent`,
      '/runs',
      `/runs/${run.id}`,
      '/inbox',
      '/review',
      '/audit',
      '/tags',
      '/schemas',
      '/prompts',
      '/schedules',
    ];
    for (const address of addresses) {
      await page.goto(product.url + address);
      if (!(await isShown(page))) complaints.push(`${address} shows nothing hostile`);
      if (address === '/inbox') await page.getByRole('button', { name: /^Plan: Evil/u }).click();
      complaints.push(...(await alive(page)).map((each) => `${address} ${each}`));
      if (/audit|inbox|review|runs/u.test(address))
        await keepScreenshot(page, `hostile${address.replaceAll('/', '-')}`);
    }
    expect(complaints).toEqual([]);
    expect(new URL(page.url()).origin).toBe(product.url);
  });
});
