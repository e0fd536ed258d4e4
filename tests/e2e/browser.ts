import fs from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

/** Where `npm test` found or installed a browser; without one the browser tests count as skipped. */
export const chromiumPath = process.env['CHROMIUM_PATH'];

const screenshots = path.resolve(import.meta.dirname, '../../test-output/screenshots');

export async function launchBrowser(): Promise<Browser> {
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

/** Keeps a picture of the page as test output. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  fs.mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: path.join(screenshots, `${name}.png`) });
}

/**
 * Shows the page in a theme, and waits until it is drawn in it. Colours change at once: one looked at on its way belongs to
 * neither, and where it is handed down, each change sets off the next.
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
