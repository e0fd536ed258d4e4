import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { showTheme } from './browser.ts';

const { source } = createRequire(import.meta.resolve('@axe-core/playwright'))('axe-core') as { source: string };

export const wcag22 = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

type Theme = 'light' | 'dark';

/** The colour rules: the themes differ only in colours. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/**
 * The violations that axe finds on the current page, for rules with one of `tags`; all rules by default. It runs in the page
 * itself, which has no frames: `AxeBuilder` would load it twice for each check and open a window for the results.
 */
export async function violationsOn(page: Page, tags?: string[]): Promise<string[]> {
  return await runAxe(page, tags && { type: 'tag', values: tags });
}

/** Checks both themes, in the dark one only the colour rules. `look` is called in each theme. */
export async function violationsInBothThemes(
  page: Page,
  tags?: string[],
  look?: (theme: Theme) => Promise<void>,
): Promise<string[]> {
  const found: string[] = [];
  for (const theme of ['light', 'dark'] as const) {
    await showTheme(page, theme);
    await look?.(theme);
    const violations =
      theme === 'light' ? await violationsOn(page, tags) : await runAxe(page, { type: 'rule', values: ofColours });
    found.push(...violations.map((violation) => `${theme} ${violation}`));
  }
  return found;
}

async function runAxe(page: Page, runOnly?: { type: 'tag' | 'rule'; values: string[] }): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(source);
  const options = JSON.stringify({ resultTypes: ['violations'], ...(runOnly && { runOnly }) });
  return await page.evaluate<string[]>(`axe.run(document, ${options}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes[0]?.html))`);
}
