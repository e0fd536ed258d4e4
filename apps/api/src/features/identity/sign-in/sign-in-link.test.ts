import type { Me } from '@docwright/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { registerUser, startUnclaimedTestApp, type UnclaimedTestApp } from '../../../testing/test-app.ts';

let harness: UnclaimedTestApp;
beforeEach(async () => {
  harness = await startUnclaimedTestApp();
});
afterEach(async () => {
  await harness.stop();
});

const follow = (token: string) => harness.app.inject({ url: `/sign-in?token=${token}` });
const linkToken = async () => (await harness.services.identity.signIn.createLinkToken()) ?? 'none';
const me = async (cookie: string) =>
  await harness.app.inject({ url: '/v0/me', cookies: { docwright_session: cookie } });

test('the link signs in as the owner without a password, redirects to the page, and works once', async () => {
  const token = await linkToken();
  const first = await follow(token);
  expect(first.statusCode).toBe(302);
  expect(first.headers.location).toBe('/');
  const [cookie] = first.cookies;
  expect(cookie).toMatchObject({ name: 'docwright_session', httpOnly: true, sameSite: 'Lax', path: '/' });

  const answer = (await me(cookie?.value ?? '')).json<Me>();
  expect(answer.user.has_password).toBe(false);
  expect(answer.organizations).toMatchObject([{ role: 'admin' }]);

  const second = await follow(token);
  expect(second.cookies).toEqual([]);
  expect(second.headers.location).toBe('/sign-in?link=used');
});

test('a HEAD request does not use up the link', async () => {
  const token = await linkToken();
  await harness.app.inject({ method: 'HEAD', url: `/sign-in?token=${token}` });
  expect((await follow(token)).cookies).toHaveLength(1);
});

test('only one of several concurrent uses of the link succeeds', async () => {
  const token = await linkToken();
  const answers = await Promise.all([follow(token), follow(token), follow(token)]);
  expect(answers.filter((answer) => answer.cookies.length > 0)).toHaveLength(1);
});

test('a newer start invalidates the older link', async () => {
  const older = await linkToken();
  const newer = await linkToken();
  expect((await follow(older)).cookies).toEqual([]);
  expect((await follow(newer)).cookies).toHaveLength(1);
});

test("the first registration claims the owner's account and organization, and ends the link's sessions", async () => {
  const [cookie] = (await follow(await linkToken())).cookies;
  const before = (await me(cookie?.value ?? '')).json<Me>();
  const unused = await linkToken();

  const registered = await registerUser(harness.app, 'ann@example.com');
  expect(registered.user).toMatchObject({ id: before.user.id, email: 'ann@example.com' });
  expect(registered.organization.id).toBe(before.organizations[0]?.id);

  expect((await me(cookie?.value ?? '')).statusCode).toBe(401);
  expect((await follow(unused)).cookies).toEqual([]);
  expect(await harness.services.identity.signIn.createLinkToken()).toBeUndefined();
});

test('of two concurrent first registrations, one claims the first organization and the other gets its own', async () => {
  const registrations = await Promise.all([
    registerUser(harness.app, 'one@example.com'),
    registerUser(harness.app, 'other@example.com'),
  ]);
  const names = registrations.map((registration) => registration.organization.name).sort();
  expect(names[0]).toBe('My organization');
  expect(names[1]).toContain('Name of');
});
