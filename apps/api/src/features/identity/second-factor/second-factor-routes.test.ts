import type { Membership } from '@docwright/contract';
import { TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startTestApp, testPassword, type TestApp } from '../../../testing/test-app.ts';
import type { TestClient } from '../../../testing/test-client.ts';
import { stepOfCode } from './second-factor-service.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterAll(async () => harness.stop());

// Codes change every half minute of the wall clock, and guesses are counted by minute.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const codeOf = (secret: string, stepsLater = 0) =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + stepsLater * 30_000 });
const login = async (email: string, code?: string) => {
  const payload = { email, password: testPassword, ...(code === undefined ? {} : { code }) };
  const answer = await harness.app.inject({ method: 'POST', url: '/v0/auth/login', payload });
  const body = answer.json<{ access_token?: string; error?: { code: string } }>();
  return { status: answer.statusCode, code: body.error?.code, token: body.access_token };
};
const meWith = async (token: string | undefined, url = '/v0/me') =>
  (await harness.app.inject({ url, headers: { authorization: `Bearer ${token}` } })).statusCode;

/** Confirms with the previous step's code, so that the present one is still unused. */
async function enableSecondFactor(user: TestClient): Promise<{ secret: string; recovery: string[] }> {
  const proposed = await user.post<{ secret: string; uri: string }>('/v0/auth/second_factor/totp', {
    password: testPassword,
  });
  expect(proposed.status).toBe(201);
  const { secret, uri } = proposed.body;
  expect(new URL(uri).searchParams.get('secret')).toBe(secret);
  const confirmed = await user.post<{ recovery_codes: string[] }>('/v0/auth/second_factor/totp/confirm', {
    code: codeOf(secret, -1),
  });
  expect(confirmed.status).toBe(200);
  return { secret, recovery: confirmed.body.recovery_codes };
}

describe('a second factor', () => {
  it('is required at sign-in; each code and each recovery code works once', async () => {
    const user = await harness.addUser('member');
    const other = await login(user.email);
    const { secret, recovery } = await enableSecondFactor(user);
    expect(await meWith(other.token)).toBe(401);
    expect((await user.get('/v0/me')).status).toBe(200);

    expect(await login(user.email)).toMatchObject({ status: 401, code: 'second_factor_needed' });
    expect(await login(user.email, '000000')).toMatchObject({ status: 403, code: 'wrong_code' });
    const code = codeOf(secret);
    expect(await login(user.email, `${code.slice(0, 3)} ${code.slice(3)}`)).toMatchObject({ status: 200 });
    expect(await login(user.email, code)).toMatchObject({ status: 403 });

    expect(recovery).toHaveLength(10);
    expect(await login(user.email, recovery[0]!.toUpperCase())).toMatchObject({ status: 200 });
    expect(await login(user.email, recovery[0])).toMatchObject({ status: 403 });
    const both = await Promise.all([login(user.email, recovery[1]), login(user.email, recovery[1])]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 403]));
    expect((await user.get('/v0/auth/second_factor')).body).toMatchObject({ enabled: true, recovery_codes_left: 8 });
  });

  it('is stored encrypted and bound to its user, with its codes as hashes', async () => {
    const user = await harness.addUser('member');
    const { secret, recovery } = await enableSecondFactor(user);
    const stored = JSON.stringify(await harness.connection.collection('second_factors').find().toArray());
    for (const text of [secret, ...recovery]) expect(stored).not.toContain(text);
  });

  it('limits the rate of guesses', async () => {
    const user = await harness.addUser('member');
    const { secret } = await enableSecondFactor(user);
    const guesses = await Promise.all(
      Array.from({ length: 14 }, async (_, at) => login(user.email, `00000${at % 10}`)),
    );
    expect(guesses.filter(({ status }) => status === 403).length).toBeLessThanOrEqual(10);
    expect(await login(user.email, codeOf(secret))).toMatchObject({ status: 429, code: 'too_many_sign_ins' });
  });

  it('needs the password to start, and the password and a code to remove', async () => {
    const user = await harness.addUser('member');
    const path = '/v0/auth/second_factor';
    expect((await user.post(`${path}/totp`, { password: 'wrong' })).error?.code).toBe('wrong_password');
    expect((await user.post(`${path}/totp/confirm`, { code: '123456' })).error?.code).toBe('enrolment_over');
    const { secret, recovery } = await enableSecondFactor(user);
    expect((await user.post(`${path}/totp`, { password: testPassword })).error?.code).toBe('second_factor_on');
    const remove = (password: string, code: string) => user.post(`${path}/remove`, { password, code });
    expect((await remove('wrong', codeOf(secret))).error?.code).toBe('wrong_password');
    expect((await remove(testPassword, '000000')).error?.code).toBe('wrong_code');
    const renewed = await user.post<{ recovery_codes: string[] }>(`${path}/recovery_codes`, {
      password: testPassword,
      code: recovery[0],
    });
    expect((await remove(testPassword, recovery[1]!)).error?.code).toBe('wrong_code');
    expect((await remove(testPassword, renewed.body.recovery_codes[0]!)).status).toBe(204);
    expect(await login(user.email)).toMatchObject({ status: 200 });
    expect((await remove(testPassword, codeOf(secret))).error?.code).toBe('second_factor_off');
  });

  it('is not accessible with an access token', async () => {
    const { body } = await harness.admin.post<{ token: string }>('./access_tokens', {
      name: 'robot',
      lifetime_days: 1,
    });
    const headers = { 'x-api-key': body.token };
    const state = await harness.app.inject({ url: '/v0/auth/second_factor', headers });
    expect(state.json()).toMatchObject({ error: { code: 'session_needed' } });
  });
});

describe('an organization that requires a second factor', () => {
  it('rejects sessions without one, and an admin needs one to require it', async () => {
    const admin = await harness.addOrganization();
    const member = await harness.addUser('member', admin.organizationId);
    const requireSecondFactor = () =>
      admin.patch<Membership>(`/v0/orgs/${admin.organizationId}`, { require_second_factor: true });
    expect((await requireSecondFactor()).error?.code).toBe('own_second_factor_first');
    await enableSecondFactor(admin);
    expect((await requireSecondFactor()).body).toMatchObject({ require_second_factor: true });
    expect((await admin.get('./tags')).status).toBe(200);
    expect((await member.get('./tags')).error?.code).toBe('second_factor_required');
    expect((await member.get('/v0/me')).status).toBe(200);
    const { secret } = await enableSecondFactor(member);
    expect((await member.get('./tags')).status).toBe(200);
    const { token } = await login(member.email, codeOf(secret));
    expect(await meWith(token, `/v0/orgs/${admin.organizationId}/tags`)).toBe(200);
  });
});

it('a code is valid in its own half minute and the adjacent ones', () => {
  vi.setSystemTime(1_111_111_109_000);
  // RFC 6238, appendix B: the last six digits.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  expect(stepOfCode(secret, '081804')).toBe(37_037_036);
  expect(stepOfCode(secret, '081804', Date.now() + 30_000)).toBe(37_037_036);
  expect(stepOfCode(secret, '081804', Date.now() + 90_000)).toBeUndefined();
});
