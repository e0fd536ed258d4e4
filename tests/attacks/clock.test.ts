import type { Schedule } from '@docwright/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApp, testPassword, type TestApp } from '../../apps/api/src/testing/test-app.ts';

const hour = 3_600_000;
let harness: TestApp;
beforeAll(async () => {
  harness = await startTestApp();
});
afterEach(() => vi.useRealTimers());
afterAll(async () => harness.stop());

/** Sets the wall clock as an administrator or time server does; the monotonic clock is not affected. */
function setClock(byMs: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + byMs });
}

describe.each([
  ['back', -hour],
  ['forward', hour],
])('when the clock is set %s by an hour', (_how, byMs) => {
  it('keeps sessions, allows sign-ins, and limits guessing', async () => {
    const person = await harness.addUser('member');
    const { body: made } = await person.post<{ token: string }>('./access_tokens', { name: 'robot', lifetime_days: 1 });
    setClock(byMs);
    expect((await person.get('/v0/me')).status).toBe(200);
    const robot = await harness.app.inject({
      url: `/v0/orgs/${person.organizationId}/documents`,
      headers: { 'x-api-key': made.token },
    });
    expect(robot.statusCode).toBe(200);
    const login = async (password: string) =>
      harness.app.inject({ method: 'POST', url: '/v0/auth/login', payload: { email: person.email, password } });
    const { access_token } = (await login(testPassword)).json<{ access_token: string }>();
    const me = { url: '/v0/me', headers: { authorization: `Bearer ${access_token}` } };
    expect((await harness.app.inject(me)).statusCode).toBe(200);
    // More than two windows of ten allow: they can lie on both sides of a window's end.
    const guesses = await Promise.all(Array.from({ length: 21 }, async () => login('wrong')));
    expect(guesses.map(({ statusCode }) => statusCode)).toContain(429);
    // The clock is correct again: no lock lasts longer than its window, and sessions from both times are valid.
    vi.useRealTimers();
    expect((await harness.app.inject(me)).statusCode).toBe(200);
    expect((await person.get('/v0/me')).status).toBe(200);
  });

  it('still reads uploaded documents, and runs no time of a schedule twice', async () => {
    const person = await harness.addOrganization();
    const { body } = await person.post<Schedule>('./schedules', {
      name: 'Hourly',
      every: '1h',
      action: 'run_extraction',
    });
    const content = Buffer.from('Total: 5').toString('base64');
    const upload = async (name: string) =>
      (await person.post<{ documents: [{ id: string }] }>('./documents', { documents: [{ name, content }] })).body;
    const before = (await upload('before.txt')).documents[0].id;
    setClock(byMs);
    const after = (await upload('after.txt')).documents[0].id;
    await harness.services.documents.textReading.readAll(new AbortController().signal);
    for (const id of [before, after]) {
      expect((await person.get<{ state: string }>(`./documents/${id}`)).body.state).toBe('ocr_completed');
    }
    const schedule = await person.get<Schedule>(`./schedules/${body.id}`);
    expect(schedule.status).toBe(200);
    // A clock that is set back only delays it until its due time.
    expect(schedule.body.next_due_at).toBe(body.next_due_at);
  });
});

it('a limit of requests per minute never blocks for longer than a minute', async () => {
  const limited = await startTestApp({ requestsPerMinute: 40 });
  try {
    const ask = async () => (await limited.admin.get('/v0/me')).status;
    while ((await ask()) === 200);
    const monotonic = vi.spyOn(performance, 'now');
    const now = performance.now();
    setClock(-hour);
    expect(await ask()).toBe(429);
    monotonic.mockImplementation(() => now + 61_000);
    expect(await ask()).toBe(200);
    monotonic.mockRestore();
  } finally {
    vi.restoreAllMocks();
    await limited.stop();
  }
});
