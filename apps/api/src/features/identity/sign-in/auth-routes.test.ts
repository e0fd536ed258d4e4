import type { ErrorBody, loginAnswer, Me } from '@docwright/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { startTestApp, testPassword, type TestApp } from '../../../testing/test-app.ts';

let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterEach(() => vi.useRealTimers());
afterAll(async () => {
  await harness.stop();
});

const login = (email: string, password: string) =>
  harness.app.inject({ method: 'POST', url: '/v0/auth/login', payload: { email, password } });
const signedIn = async () => {
  const answer = await login(harness.admin.email, testPassword);
  return { cookie: answer.cookies[0]?.value ?? '', jwt: answer.json<z.infer<typeof loginAnswer>>().access_token };
};
const createOrganization = (headers: Record<string, string>) =>
  harness.app.inject({ method: 'POST', url: '/v0/orgs', payload: { name: 'Another' }, headers });

/** Attempts are counted by minute of the wall clock: all attempts of a test are then in the same one. */
const stopClock = () => vi.useFakeTimers({ toFake: ['Date'] });

describe('login', () => {
  test('answers a JWT and sets it as a cookie; the e-mail address ignores case', async () => {
    const answer = await login(harness.admin.email.toUpperCase(), testPassword);
    expect(answer.statusCode).toBe(200);
    const { access_token } = answer.json<z.infer<typeof loginAnswer>>();
    expect(answer.cookies[0]).toMatchObject({ value: access_token, httpOnly: true, sameSite: 'Lax' });
    expect(answer.body).not.toContain('argon2');
  });

  test('answers a wrong password and an unknown account alike, in similar time', async () => {
    // The fastest of several attempts, since the machine is busy.
    const timed = async (email: string) => {
      let took = Infinity;
      let answer = await login(email, 'not the password');
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const start = performance.now();
        answer = await login(email, 'not the password');
        took = Math.min(took, performance.now() - start);
      }
      return { took, answer };
    };
    const known = await timed(harness.admin.email);
    const unknown = await timed('nobody@example.com');
    expect([known.answer.statusCode, unknown.answer.statusCode]).toEqual([401, 401]);
    expect(known.answer.json<ErrorBody>().error.message).toBe(unknown.answer.json<ErrorBody>().error.message);
    expect(unknown.took).toBeGreaterThan(known.took / 4);
  });

  test('blocks only the account with ten failures in a minute; successes do not count', async () => {
    stopClock();
    for (let attempt = 0; attempt < 12; attempt += 1) {
      expect((await login(harness.admin.email, testPassword)).statusCode).toBe(200);
    }
    const user = await harness.addUser('member');
    const attempts = [];
    for (let attempt = 0; attempt < 11; attempt += 1) attempts.push(await login(user.email, 'wrong'));
    expect(attempts.map((attempt) => attempt.statusCode)).toEqual([...Array<number>(10).fill(401), 429]);
    expect((await login(user.email, testPassword)).statusCode).toBe(429);
    expect((await login(harness.admin.email, testPassword)).statusCode).toBe(200);
  });
});

describe('credentials', () => {
  test.each([
    ['nothing', {}],
    ['a forged JWT', { authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.' }],
    ['an unknown access token', { 'x-api-key': 'dw_unknown' }],
    ['an empty bearer', { authorization: 'Bearer ' }],
    ['basic authentication', { authorization: 'Basic YTpi' }],
  ])('%s is 401', async (_what, headers) => {
    const answer = await harness.app.inject({ url: '/v0/me', headers });
    expect(answer.statusCode).toBe(401);
  });

  test("a write with the cookie needs this site's Origin; reading and a JWT do not", async () => {
    const { cookie, jwt } = await signedIn();
    const header = { cookie: `docwright_session=${cookie}`, host: 'docs.example.com' };
    expect((await createOrganization(header)).statusCode).toBe(403);
    expect((await createOrganization({ ...header, origin: 'https://evil.example.com' })).statusCode).toBe(403);
    expect((await createOrganization({ ...header, origin: 'null' })).statusCode).toBe(403);
    expect((await createOrganization({ ...header, origin: 'https://docs.example.com' })).statusCode).toBe(201);
    expect((await harness.app.inject({ url: '/v0/me', headers: header })).statusCode).toBe(200);
    expect((await createOrganization({ authorization: `Bearer ${jwt}` })).statusCode).toBe(201);
  });

  test('a public route ignores a cookie that it cannot use', async () => {
    const { cookie } = await signedIn();
    const answer = await harness.app.inject({
      method: 'POST',
      url: '/v0/auth/login',
      payload: { email: harness.admin.email, password: testPassword },
      headers: { cookie: `docwright_session=${cookie}` },
    });
    expect(answer.statusCode).toBe(200);
  });

  test('signing out ends the session and removes the cookie; other sessions stay', async () => {
    const [one, other] = [await signedIn(), await signedIn()];
    const logout = await harness.app.inject({
      method: 'POST',
      url: '/v0/auth/logout',
      headers: { cookie: `docwright_session=${one.cookie}`, host: 'localhost', origin: 'http://localhost' },
    });
    expect(logout.statusCode).toBe(204);
    expect(logout.cookies[0]).toMatchObject({ name: 'docwright_session', value: '' });
    const me = (jwt: string) => harness.app.inject({ url: '/v0/me', headers: { authorization: `Bearer ${jwt}` } });
    expect((await me(one.jwt)).statusCode).toBe(401);
    expect((await me(other.jwt)).statusCode).toBe(200);
  });
});

test('a user sees only their own organizations', async () => {
  const { body } = await harness.admin.get<Me>('/v0/me');
  expect(body.user).toMatchObject({ email: harness.admin.email, has_password: true });
  const stranger = await harness.addOrganization();
  const theirs = await stranger.get<Me>('/v0/me');
  expect(theirs.body.organizations.map((organization) => organization.id)).toEqual([stranger.organizationId]);
});
