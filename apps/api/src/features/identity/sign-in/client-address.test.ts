import { afterAll, beforeAll, expect, test } from 'vitest';
import { startUnclaimedTestApp, type UnclaimedTestApp } from '../../../testing/test-app.ts';

let trusting: UnclaimedTestApp;
beforeAll(async () => {
  trusting = await startUnclaimedTestApp({ settings: { TRUSTED_PROXIES: '10.0.0.0/8' }, signInsPerMinute: 2 });
});
afterAll(() => trusting.stop());

/** The number of rate-limited attempts out of four. */
async function refusals(remoteAddress: string, forwardedFor: (attempt: number) => string): Promise<number> {
  let refused = 0;
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const answer = await trusting.app.inject({
      url: '/sign-in?token=none',
      remoteAddress,
      headers: { 'x-forwarded-for': forwardedFor(attempt) },
    });
    if (answer.statusCode === 429) refused += 1;
  }
  return refused;
}

test('counts clients by their own address behind a trusted proxy, else by the connecting address', async () => {
  expect(await refusals('10.1.2.3', (attempt) => `203.0.113.${attempt}`)).toBe(0);
  expect(await refusals('10.1.2.3', () => '203.0.113.77')).toBe(2);
  expect(await refusals('198.51.100.7', (attempt) => `203.0.113.${attempt}`)).toBe(2);
  // Entries before the proxy's own are ignored.
  expect(await refusals('10.1.2.3', (attempt) => `203.0.113.${attempt}, 198.51.100.9`)).toBe(2);
});

test('a request through a proxy on this machine needs the token to claim the first organization', async () => {
  const answer = await trusting.app.inject({
    method: 'POST',
    url: '/v0/auth/register',
    headers: { host: '127.0.0.1:3000', 'x-forwarded-for': '203.0.113.200' },
    remoteAddress: '127.0.0.1',
    payload: { email: 'eve@example.com', name: 'Eve', password: 'correct horse battery' },
  });
  expect(answer.statusCode).toBe(403);
});

test.each([
  ['https', 'max-age=15552000'],
  ['http', undefined],
])('an answer to a browser that came by %s has transport security %s', async (proto, expected) => {
  const answer = await trusting.app.inject({ url: '/health', headers: { 'x-forwarded-proto': proto } });
  expect(answer.headers['strict-transport-security']).toBe(expected);
});
