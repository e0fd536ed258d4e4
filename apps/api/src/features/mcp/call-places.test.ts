import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startMcpTestBench, type McpTestBench } from '../../testing/mcp-test-bench.ts';
import type { TestClient } from '../../testing/test-client.ts';
import { createCallPlaces } from './call-places.ts';

let bench: McpTestBench;
beforeAll(async () => {
  bench = await startMcpTestBench();
});
afterAll(async () => bench.stop());

/** Lets reads of one tool last until they are ended, by their organization. */
function slowReads() {
  const running: { organizationId: string; end: () => void }[] = [];
  const spy = vi.spyOn(bench.services.mcp.calls, 'call').mockImplementation(async ({ organizationId }) => {
    await new Promise<void>((resolve) => running.push({ organizationId, end: resolve }));
    return { kind: 'done', success: true, tool: 'list_tags', result: {} };
  });
  const begunOf = ({ organizationId }: TestClient) =>
    running.filter((call) => call.organizationId === organizationId).length;
  return { running, begunOf, restore: () => spy.mockRestore() };
}

const limits = { inAll: 3, ofOrganization: 2, maxHeldMs: 60_000, maxWaiting: { ofParty: 10, inAll: 10 } };
beforeEach(() => {
  bench.services.mcp.places = createCallPlaces(limits);
});

it.each(['earlier', '2026-07-28'] as const)(
  'calls of an organization that makes many wait, and those of another one run meanwhile (%s)',
  async (revision) => {
    const [one, other] = [await bench.addOrganization(), await bench.addOrganization()];
    const many = await bench.connect(one, { revision });
    const few = await bench.connect(other, { revision });
    const { running, begunOf, restore } = slowReads();
    const made = [1, 2, 3, 4].map(async () => many.call('list_tags'));
    await expect.poll(() => begunOf(one)).toBe(2);
    const answer = few.call('list_tags');
    await expect.poll(() => begunOf(other)).toBe(1);
    expect(begunOf(one)).toBe(2);
    for (let at = 0; at < 5; at += 1) {
      await expect.poll(() => running.length).toBeGreaterThan(at);
      running[at]!.end();
    }
    expect((await Promise.all([...made, answer])).map(({ isError }) => isError)).not.toContain(true);
    restore();
  },
);

it.each(['earlier', '2026-07-28'] as const)(
  'a call that its client cancels while it waits is not run (%s)',
  async (revision) => {
    const user = await bench.addOrganization();
    const { call, client } = await bench.connect(user, { revision });
    const { running, begunOf, restore } = slowReads();
    const made = [1, 2].map(async () => call('list_tags'));
    await expect.poll(() => begunOf(user)).toBe(2);
    const { places } = bench.services.mcp;
    const enter = vi.spyOn(places, 'enter');
    const stop = new AbortController();
    const cancelled = client.callTool({ name: 'list_tags' }, { signal: stop.signal }).catch(() => 'cancelled');
    await expect.poll(() => enter.mock.results.length).toBe(1);
    stop.abort();
    expect(await cancelled).toBe('cancelled');
    // It leaves the queue although no place is free.
    await expect(enter.mock.results[0]!.value).rejects.toThrow();
    for (const { end } of running) end();
    await Promise.all(made);
    expect(begunOf(user)).toBe(2);
    restore();
  },
);

it('a call beyond the queue learns when to come again, as an answer of HTTP', async () => {
  const user = await bench.addOrganization();
  const { call } = await bench.connect(user);
  const { running, begunOf, restore } = slowReads();
  const places = createCallPlaces({ ...limits, maxWaiting: { ofParty: 3, inAll: 10 } });
  bench.services.mcp.places = places;
  const enter = vi.spyOn(places, 'enter');
  const made = [1, 2].map(async () => call('list_tags'));
  await expect.poll(() => begunOf(user)).toBe(2);
  made.push(...[3, 4, 5].map(async () => call('list_tags')));
  await expect.poll(() => enter.mock.results.length).toBe(5);
  const refused = await user.request('POST', '/mcp', {
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_tags', arguments: {} } },
    headers: { accept: 'application/json, text/event-stream', 'x-org-id': user.organizationId },
  });
  expect(refused).toMatchObject({ status: 429, body: { error: { code: 'too_many_calls' } } });
  expect(refused.headers).toMatchObject({ 'retry-after': '5' });
  for (let at = 0; at < 5; at += 1) {
    await expect.poll(() => running.length).toBeGreaterThan(at);
    running[at]!.end();
  }
  await Promise.all(made);
  expect(begunOf(user)).toBe(5);
  restore();
});

it('calls that wait for a decision hold no place', async () => {
  const user = await bench.addOrganization();
  const { id } = await bench.documentOf(user);
  const decided = Promise.withResolvers<'accept'>();
  const { call, questions } = await bench.connect(user, { answer: async () => decided.promise });
  const made = ['One', 'Two', 'Three'].map(async (name) => call('create_tag', { document_id: id, name }));
  await expect.poll(() => questions.length, { timeout: 10_000 }).toBe(3);
  expect((await call('list_tags')).isError).toBe(false);
  decided.resolve('accept');
  expect((await Promise.all(made)).map(({ value }) => value['name'])).toEqual(['One', 'Two', 'Three']);
});

it('a call that lasts keeps the share of its organization, and no place of others', async () => {
  const places = createCallPlaces({ ...limits, inAll: 1, ofOrganization: 1, maxHeldMs: 1 });
  const first = await places.enter('one');
  const second = await places.enter('other');
  const later = vi.fn();
  const waiting = places.enter('one').then(later);
  (await places.enter('third')).leave();
  expect(later).not.toHaveBeenCalled();
  first.leave();
  await waiting;
  expect(later).toHaveBeenCalled();
  second.leave();
});

it('a call whose turn runs for long gives its place to the next', async () => {
  const places = createCallPlaces({ ...limits, ofOrganization: 1, maxHeldMs: 1 });
  const first = await places.enter('one');
  first.turnRuns();
  await places.enter('one');
});

it('refuses what comes beyond the queue, of one organization only', async () => {
  const places = createCallPlaces({ ...limits, inAll: 1, ofOrganization: 1, maxWaiting: { ofParty: 1, inAll: 5 } });
  await places.enter('one');
  places.requireRoom('one');
  const leaves = new AbortController();
  const waiting = places.enter('one', leaves.signal);
  expect(() => places.requireRoom('one')).toThrow(/5 seconds/u);
  expect(() => places.requireRoom('other')).not.toThrow();
  leaves.abort();
  await expect(waiting).rejects.toThrow();
  expect(() => places.requireRoom('one')).not.toThrow();
});
