import fs from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

/** The browser that `npm test` found or installed; without one, browser tests are skipped. */
export const chromiumPath = process.env['CHROMIUM_PATH'];

const screenshots = path.resolve(import.meta.dirname, '../../../test-output/screenshots');

let running: Promise<Browser> | undefined;

/**
 * A browser for one test file. All files of a process share one, because a start takes a second of CPU time. Closing it closes
 * the contexts of the file; each context has its own cookies, storage and caches. Its pages prefer reduced motion, because spinners
 * and scrolling draw sixty frames a second; a test of motion asks for `no-preference`.
 */
export async function launchBrowser(): Promise<Browser> {
  if ((await running)?.isConnected() !== true) running = startBrowser();
  const shared = await running!;
  const contexts: BrowserContext[] = [];
  const newContext = async (options?: BrowserContextOptions) => {
    const context = await shared.newContext({ reducedMotion: 'reduce', ...options });
    contexts.push(context);
    return context;
  };
  const own: Partial<Browser> = {
    newContext,
    newPage: async (options) => await (await newContext(options)).newPage(),
    close: async () => void (await Promise.all(contexts.map((context) => context.close()))),
  };
  return new Proxy(shared, { get: (target, name) => Reflect.get(own, name) ?? bound(target, name) });
}

function bound(browser: Browser, name: string | symbol): unknown {
  const value: unknown = Reflect.get(browser, name);
  return typeof value === 'function' ? value.bind(browser) : value;
}

async function startBrowser(): Promise<Browser> {
  return await chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Opens another page of the app as a link does, without loading the app again, and waits until the router shows it. */
export async function followLink(page: Page, path: string): Promise<void> {
  await page.evaluate(`new Promise((shown) => {
    const router = __TSR_ROUTER__;
    router.history.push(${JSON.stringify(path)});
    const look = () => {
      const { status, resolvedLocation } = router.state;
      const isShown = status === 'idle' && resolvedLocation.state.__TSR_key === router.history.location.state.__TSR_key;
      if (isShown) shown();
      else requestAnimationFrame(look);
    };
    look();
  })`);
}

/** Stores a screenshot and the text of each open page as test output, to see why a test failed. Leaves out pages that do not answer. */
export async function keepOpenPages(name: string): Promise<void> {
  const browser = await running;
  const pages = browser?.contexts().flatMap((context) => context.pages()) ?? [];
  const keep = async (page: Page, at: number) => {
    const file = `failed-${name.replaceAll(/[^a-z0-9]+/giu, '-').slice(0, 80)}-${at + 1}`;
    await keepScreenshot(page, file);
    const text = await page.locator('body').innerText({ timeout: 5_000 });
    fs.writeFileSync(path.join(screenshots, `${file}.txt`), `${page.url()}\n\n${text}\n`);
  };
  await Promise.allSettled(pages.map(keep));
}

/** Stores a screenshot of the page as test output. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  fs.mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
}

/**
 * Shows the page in a theme and waits until it is drawn. Transitions of colours are turned off: a colour in transition belongs to
 * neither theme, and inherited colours would start further transitions.
 */
export async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.evaluate(`(() => {
    if (document.adoptedStyleSheets.length > 0) return;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(sheet);
  })()`);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
}
