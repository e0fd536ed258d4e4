import { TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, followLink, keepScreenshot, launchBrowser } from '../browser/browser.ts';
import { openDesk, type Desk } from '../browser/document-setup.ts';
import { password as firstPassword, shareProduct, type SharedProduct } from '../../product/shared-product.ts';

const nextPassword = 'nine loud geese overhead';

describe.skipIf(chromiumPath === undefined)('account settings', () => {
  let product: SharedProduct;
  let browser: Browser;
  let desk: Desk;

  beforeAll(async () => {
    [product, browser] = await Promise.all([shareProduct(), launchBrowser()]);
    desk = await openDesk(browser, product);
  });
  afterAll(async () => {
    await browser.close();
    await product.stop();
  });

  /** A second browser of the same user. */
  async function elsewhere(password: string): Promise<Page> {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${product.url}/sign-in`);
    await page.getByLabel('E-mail').fill(product.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Files to upload').first().waitFor({ state: 'attached' });
    return page;
  }
  const signedOut = (page: Page) => page.getByRole('button', { name: 'Sign in' }).waitFor();

  async function keepWidths(name: string): Promise<void> {
    for (const width of [1280, 390]) {
      await desk.page.setViewportSize({ width, height: 1000 });
      await keepScreenshot(desk.page, `${name}-${width}`);
    }
    await desk.page.setViewportSize({ width: 1280, height: 800 });
  }

  it('change the password, which ends the other session, end a single session, and sign out everywhere', async () => {
    const { page } = desk;
    const other = await elsewhere(firstPassword);
    await followLink(page, '/settings');
    const rows = page.getByRole('table', { name: 'Sessions' }).locator('tbody tr');
    const ends = page.getByRole('button', { name: /^End the session/u });
    await ends.first().waitFor();
    await keepWidths('settings-sessions');

    await page.getByLabel('Current password').fill('not the password');
    await page.getByLabel('New password').fill(nextPassword);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('The current password is wrong').waitFor();
    await page.getByLabel('Current password').fill(firstPassword);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Password changed').waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    await other.reload();
    await signedOut(other);

    const again = await elsewhere(nextPassword);
    await page.reload();
    await ends.first().click();
    await page.getByRole('button', { name: 'End session' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await again.reload();
    await signedOut(again);

    await followLink(page, '/settings?section=organization');
    await page.getByLabel('Add by e-mail').fill('grace@example.com');
    await page.getByRole('button', { name: 'Add' }).click();
    const revoke = page.getByRole('button', { name: 'Revoke the invitation of grace@example.com' });
    await revoke.waitFor();
    await keepWidths('settings-invitations');
    await revoke.click();
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await revoke.waitFor({ state: 'detached' });

    await followLink(page, '/settings?section=tokens');
    await page.getByLabel('New token for').fill('Desk helper');
    await page.getByLabel('Used by').selectOption('mcp');
    expect(await page.getByLabel('Decide').isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('cell', { name: 'read, propose' }).waitFor();
    await keepWidths('settings-scopes');

    await followLink(page, '/settings');
    await page.getByRole('button', { name: 'Turn on two-step sign-in' }).click();
    await page.getByLabel('Your password').fill(nextPassword);
    await page.getByRole('button', { name: 'Continue' }).click();
    const secret = (await page.getByLabel('Key', { exact: true }).textContent()) ?? '';
    await page.getByRole('img', { name: 'QR code of the key' }).waitFor();
    await keepWidths('settings-two-step');
    const totp = new TOTP({ secret });
    await page.getByLabel('Code that the app shows').fill(totp.generate());
    await page.getByRole('button', { name: 'Turn on', exact: true }).click();
    await page.getByText('10 recovery codes left').waitFor();
    await keepWidths('settings-recovery-codes');
    const [recoveryCode] = await page
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allTextContents();

    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).last().click();
    await signedOut(page);

    await page.getByLabel('E-mail').fill(product.email);
    await page.getByLabel('Password').fill(nextPassword);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The code is wrong or was used before').waitFor();
    await keepWidths('sign-in-code');
    await page.getByLabel('Code').fill(recoveryCode ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('9 recovery codes left').waitFor();

    const back = 'http://127.0.0.1:9/callback';
    const registered = await page.request.post(`${product.url}/v0/oauth/register`, {
      data: { client_name: 'Desk helper', redirect_uris: [back] },
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const asked = new URLSearchParams({
      client_id,
      redirect_uri: back,
      response_type: 'code',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      // The router would parse it as a number.
      state: '12345678901234567890',
      scope: 'read propose decide',
    });
    await page.route(`${back}*`, (route) => route.fulfill({ body: 'Back in the program.' }));
    await page.goto(`${product.url}/authorize?${asked.toString()}`);
    await page.getByText('Desk helper wants to use Docwright').waitFor();
    expect(await page.getByLabel('Decide').isChecked()).toBe(false);
    await keepWidths('authorize');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Back in the program.').waitFor();
    expect(page.url()).toContain('code=');
    expect(page.url()).toContain('state=12345678901234567890');
  });
});
