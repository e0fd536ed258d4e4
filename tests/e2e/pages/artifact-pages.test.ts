import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, keepScreenshot, launchBrowser, showTheme } from '../browser/browser.ts';
import { shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const invoiceSchema = {
  type: 'object',
  properties: {
    number: { type: 'string', description: 'The invoice number' },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: { amount: { type: 'number' } },
        required: ['amount'],
        additionalProperties: false,
      },
    },
  },
  required: ['number', 'lines'],
  additionalProperties: false,
};

describe.skipIf(chromiumPath === undefined)('schemas, prompts, tags and settings', () => {
  let product: SharedProduct;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  /** Checks desktop and phone widths in both themes. */
  async function keepViews(name: string): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await showTheme(page, colorScheme);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        // The colours change within a short transition.
        await page.waitForTimeout(120);
        await keepScreenshot(page, `pages-${name}-${width}-${colorScheme}`);
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${name} at ${width}`).toBe(width);
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  }

  const go = async (label: string) => {
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('menuitem', { name: label }).click();
  };

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.setDefaultTimeout(45_000);
    page.on('pageerror', (error) => complaints.push(`${error.name}: ${error.message}`));
    await page.goto(product.link);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  it('makes a tag', async () => {
    await go('Tags');
    await page.getByText('No tags yet').waitFor();
    await page.getByRole('button', { name: 'New tag' }).first().click();
    await page.getByLabel('Name').fill('Invoice');
    await page.getByRole('radio', { name: 'Teal' }).check({ force: true });
    await keepViews('tag-dialog');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Invoice', exact: true }).waitFor();
    await keepViews('tags');
  });

  it('writes a schema, sees its errors, and compares two versions', async () => {
    await go('Schemas');
    await page.getByText('No schemas yet').waitFor();
    await keepViews('schemas-empty');
    await page.getByRole('link', { name: 'New schema' }).first().click();
    await page.getByLabel('Name').fill('Invoice');
    const json = page.getByLabel('JSON schema');
    await json.fill(JSON.stringify({ ...invoiceSchema, required: ['number'] }, null, 2));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await keepViews('schema-refused');
    await json.fill(JSON.stringify(invoiceSchema, null, 2));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('table', { name: 'Fields' }).getByText('amount').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await json.fill(JSON.stringify(invoiceSchema, null, 2).replaceAll('amount', 'net_amount'));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Compare version 1 with version 2' }).click();
    await page.getByRole('region', { name: 'Difference' }).getByText('net_amount').last().waitFor();
    await keepViews('schema');
    await page.getByRole('button', { name: 'Try on a document…' }).waitFor();
    await page.getByRole('link', { name: 'Create a prompt' }).click();
    const chosen = page.getByLabel('Schema', { exact: true }).locator('option:checked');
    await expect.poll(() => chosen.textContent()).toBe('Invoice');
    await go('Schemas');
    await page.getByRole('link', { name: 'Invoice' }).waitFor();
    await keepViews('schemas');
  });

  it('writes a prompt with a schema and a tag, whose pages then show the prompt', async () => {
    await go('Prompts');
    await page.getByRole('link', { name: 'New prompt' }).first().click();
    await page.getByLabel('Name').fill('Read invoices');
    await page.getByLabel('Content').fill('Read the number and every line.');
    await page.getByLabel('Schema', { exact: true }).selectOption({ label: 'Invoice' });
    await page.getByRole('checkbox', { name: 'Invoice' }).check();
    await keepViews('prompt-form');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Invoice, version 2' }).waitFor();
    await keepViews('prompt');
    await go('Prompts');
    await page.getByRole('link', { name: 'Read invoices' }).waitFor();
    await keepViews('prompts');
    await go('Tags');
    await page.getByRole('button', { name: 'Delete Invoice' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/in use by/);
    await page.keyboard.press('Escape');
  });

  it('shows every setting, invites, and shows a token once', async () => {
    await go('Settings');
    const settings = page.getByRole('navigation', { name: 'Settings' });
    await keepViews('settings-account');
    await settings.getByRole('link', { name: 'Organization and members' }).click();
    await page.getByLabel('Add by e-mail').fill('ada@example.com');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText(/create-account\?invitation_token=/).waitFor();
    await keepViews('settings-organization');
    await settings.getByRole('link', { name: 'Access tokens' }).click();
    await page.getByLabel('New token for').fill('Nightly import');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('It is shown only once').waitFor();
    await keepViews('settings-tokens');
    await settings.getByRole('link', { name: 'Permission rules' }).click();
    await page.getByLabel('Tool').fill('create_*');
    await page.getByRole('button', { name: 'Try on past calls' }).click();
    await page
      .getByText(/past calls/)
      .last()
      .waitFor();
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await page.getByRole('button', { name: 'Delete the rule for create_*' }).waitFor();
    await keepViews('settings-rules');
    await settings.getByRole('link', { name: 'Models' }).click();
    await page.getByText('demo-rules-1').first().waitFor();
    await keepViews('settings-models');
    await settings.getByRole('link', { name: 'Usage' }).click();
    await page.getByLabel('Limit in SPU').waitFor();
    await keepViews('settings-usage');
  });

  it('finds anything by Ctrl+K and the keyboard alone', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: /^Find/ }).fill('read');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Read invoices/ })
      .waitFor();
    await keepViews('find');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Read invoices' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
