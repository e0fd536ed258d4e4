import type { addMemberAnswer, ErrorBody, registerAnswer } from '@docwright/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { startTestApp, startUnclaimedTestApp, type TestApp, type UnclaimedTestApp } from '../../../testing/test-app.ts';

type Registered = z.infer<typeof registerAnswer>;
const register = async (app: UnclaimedTestApp['app'], body: object, headers: Record<string, string> = {}) => {
  const payload = { email: 'ann@example.com', name: 'Ann', password: 'correct horse battery', ...body };
  const answer = await app.inject({ method: 'POST', url: '/v0/auth/register', payload, headers });
  return { status: answer.statusCode, ...answer.json<Registered & ErrorBody>() };
};

describe('the first registration on a reachable server', () => {
  let harness: UnclaimedTestApp;
  beforeAll(async () => {
    harness = await startUnclaimedTestApp({ settings: { HOST: '0.0.0.0' } });
  });
  afterAll(async () => {
    await harness.stop();
  });

  test('needs the unused setup token', async () => {
    const token = (await harness.services.identity.signIn.createLinkToken()) ?? '';
    expect((await register(harness.app, {})).error.code).toBe('setup_token_needed');
    expect((await register(harness.app, { setup_token: 'guess' })).status).toBe(403);

    const link = await harness.app.inject({ url: `/sign-in?token=${token}` });
    expect((await register(harness.app, { setup_token: token })).status).toBe(403);

    const cookie = `docwright_session=${link.cookies[0]?.value}`;
    const asOwner = { cookie, host: 'localhost', origin: 'http://localhost' };
    expect((await register(harness.app, {}, asOwner)).status).toBe(201);
  });
});

test('the setup token itself claims the first organization', async () => {
  const harness = await startUnclaimedTestApp({ settings: { HOST: '::' } });
  const token = (await harness.services.identity.signIn.createLinkToken()) ?? '';
  const { status, organization } = await register(harness.app, { setup_token: token });
  expect([status, organization.name]).toEqual([201, 'My organization']);
  await harness.stop();
});

test('a page of another site that resolves to loopback cannot claim the first organization', async () => {
  const harness = await startUnclaimedTestApp();
  expect((await register(harness.app, {}, { host: 'rebound.example.com:3000' })).error.code).toBe('setup_token_needed');
  await harness.stop();
});

describe('later registrations', () => {
  let harness: TestApp;
  beforeAll(async () => {
    harness = await startTestApp({ settings: { ALLOW_SIGNUP: 'false' } });
  });
  afterAll(async () => {
    await harness.stop();
  });
  const invite = async (email: string) => {
    const { body } = await harness.admin.post<z.infer<typeof addMemberAnswer>>('./members', { email, role: 'viewer' });
    return 'invitation' in body ? body.invitation.token : '';
  };

  test('are closed without an invitation', async () => {
    expect((await register(harness.app, {})).error.code).toBe('signup_closed');
    expect((await register(harness.app, { invitation_token: 'made up' })).error.code).toBe('invitation_not_valid');
  });

  test('with an invitation join its organization with its role, only for its address, and once', async () => {
    const invitation_token = await invite('Bo@Example.com');
    expect((await register(harness.app, { invitation_token })).error.code).toBe('invitation_not_valid');
    const joined = await register(harness.app, { invitation_token, email: 'bo@example.com' });
    expect([joined.status, joined.organization.id]).toEqual([201, harness.admin.organizationId]);
    const again = await register(harness.app, { invitation_token, email: 'bo@example.com' });
    expect(again.status).toBe(400);
  });

  test('a newer invitation of the same address ends the older one', async () => {
    const older = await invite('cy@example.com');
    const newer = await invite('cy@example.com');
    const email = 'cy@example.com';
    expect((await register(harness.app, { invitation_token: older, email })).status).toBe(400);
    expect((await register(harness.app, { invitation_token: newer, email })).status).toBe(201);
  });

  test('an expired invitation does not work', async () => {
    const invitation_token = await invite('di@example.com');
    const expired = { $set: { expires_at: new Date(Date.now() - 1000) } };
    await harness.connection.collection('invitations').updateOne({ email: 'di@example.com' }, expired);
    expect((await register(harness.app, { invitation_token, email: 'di@example.com' })).status).toBe(400);
  });

  test.each([
    ['a short password', { password: 'eleven char' }],
    ['a malformed address', { email: 'ann' }],
    ['an empty name', { name: '  ' }],
    ['a password that is an object', { password: { $ne: 1 } }],
  ])('%s is invalid', async (_what, body) => {
    expect((await register(harness.app, body)).status).toBe(422);
  });
});

test('with open sign-up, a new address gets its own organization', async () => {
  const harness = await startTestApp();
  const { status, organization } = await register(harness.app, {});
  expect([status, organization.name]).toEqual([201, "Ann's organization"]);
  expect((await register(harness.app, { email: 'ANN@example.com' })).error.code).toBe('email_taken');
  await harness.stop();
});
