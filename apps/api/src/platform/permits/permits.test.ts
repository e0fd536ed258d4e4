import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createPermitSlots, type PermitSlot } from './permit-slot-repository.ts';
import { createPermits, type Permits } from './permits.ts';

const times = { tickMs: 10, idleMs: 30, termMs: 40, retryMs: 10 };
const patient = { timeout: 20_000, interval: 5 };

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());
let collection: string;
beforeEach(() => {
  collection = `slots_${Math.random().toString(36).slice(2)}`;
});

const leased = async () => connection.collection(collection).countDocuments({ 'lease.token': { $exists: true } });

/** A process: it counts the commands of its slots. */
function processOf(limit: number, token: string, processes = 2, own = times, now?: () => number) {
  const slots = createPermitSlots(connection, collection, limit, token);
  const claim = vi.fn<() => Promise<PermitSlot | undefined>>(async () => slots.claim());
  const release = vi.fn<(slot: PermitSlot) => Promise<boolean>>(async (slot) => slots.release(slot));
  const renew = vi.fn<typeof slots.renew>(async (ids) => slots.renew(ids));
  const permits = createPermits({ ...slots, claim, renew, release }, () => processes, own, now);
  return { permits, claim, renew, release };
}

/** Works until it is told to stop, with so many calls at once; tells how many run now. */
function work(permits: Permits, calls: number, party = 'one') {
  const stop = new AbortController();
  const counts = { running: 0, done: 0 };
  const ended = Promise.all(
    Array.from({ length: calls }, async () => {
      while (!stop.signal.aborted) {
        const giveBack = await permits.take(party, stop.signal).catch(() => undefined);
        if (giveBack === undefined) return;
        counts.running += 1;
        await sleep(3);
        counts.running -= 1;
        counts.done += 1;
        giveBack();
      }
    }),
  );
  return { counts, end: () => (stop.abort(), ended) };
}

it('a limit holds over all processes, each comes to its share, and most calls need no command', async () => {
  const [one, other] = [processOf(6, 'a'), processOf(6, 'b')];
  const first = work(one.permits, 20);
  // The first has all permits before the other begins.
  await expect.poll(() => first.counts.running, patient).toBe(6);
  const second = work(other.permits, 20);
  const most = { both: 0, second: 0 };
  const watching = setInterval(() => {
    most.both = Math.max(most.both, first.counts.running + second.counts.running);
    most.second = Math.max(most.second, second.counts.running);
  }, 1);
  await expect.poll(() => most.second, patient).toBeGreaterThanOrEqual(3);
  const before = { done: first.counts.done, claims: one.claim.mock.calls.length };
  await expect.poll(() => first.counts.done, patient).toBeGreaterThan(before.done + 200);
  clearInterval(watching);
  expect(most.both).toBeLessThanOrEqual(6);
  expect(one.claim.mock.calls.length - before.claims).toBeLessThan(first.counts.done - before.done);
  await Promise.all([first.end(), second.end()]);
  // Unused ones go back, so that another process can have them all.
  await expect.poll(leased, patient).toBe(0);
});

it('an idle process sends no command, and one that stops gives everything back', async () => {
  const { permits, claim, release } = processOf(2, 'a');
  (await permits.take('one'))();
  await expect.poll(() => release.mock.calls.length, patient).toBe(1);
  await sleep(times.tickMs * 5);
  expect([claim.mock.calls.length, release.mock.calls.length]).toEqual([1, 1]);
  await permits.take('one');
  await permits.stop();
  expect(await leased()).toBe(0);
});

it('parties of a process take turns, and one that gives up waiting loses its place', async () => {
  const { permits } = processOf(1, 'a', 1);
  const order: string[] = [];
  const first = await permits.take('many');
  const gaveUp = new AbortController();
  const waiting = ['many', 'many', 'few'].map(async (party) => {
    const giveBack = await permits.take(party);
    order.push(party);
    giveBack();
  });
  const left = permits.take('left', gaveUp.signal);
  gaveUp.abort(new Error('enough'));
  await expect(left).rejects.toThrow('enough');
  first();
  await Promise.all(waiting);
  expect(order).toEqual(['many', 'few', 'many']);
});

it('what somebody waits for comes before the parties that have fewer permits', async () => {
  const { permits } = processOf(1, 'a', 1);
  const order: string[] = [];
  const first = await permits.take('few');
  const waiting = (['many', 'few', 'other', 'few'] as const).map(async (party) => {
    const giveBack = await permits.take(party, undefined, { isWaitedFor: party === 'few' });
    order.push(party);
    giveBack();
  });
  first();
  await Promise.all(waiting);
  expect(order).toEqual(['few', 'few', 'many', 'other']);
});

it('the permits of a process that was killed are free when its leases end, and a failed claim fails those that wait', async () => {
  const killed = createPermitSlots(connection, collection, 1, 'killed');
  await killed.claim();
  const { permits, claim } = processOf(1, 'a', 1);
  const waiting = permits.take('one');
  await expect.poll(() => claim.mock.calls.length, patient).toBeGreaterThan(1);
  await connection.collection(collection).updateOne({}, { $set: { 'lease.until': new Date(0) } });
  await waiting;
  claim.mockRejectedValueOnce(new Error('no database'));
  await expect(permits.take('two')).rejects.toThrow('no database');
});

it('a limit that no number of slots divides is shared out whole', async () => {
  const slots = createPermitSlots(connection, collection, 37, 'a');
  const sizes: number[] = [];
  for (let slot = await slots.claim(); slot; slot = await slots.claim()) sizes.push(slot.size);
  expect([sizes.length, sizes.reduce((sum, size) => sum + size)]).toEqual([16, 37]);
});

/** A clock that a test moves on, and that counts how often it is read. */
function movedClock() {
  const clock = { ms: 0, reads: 0 };
  return { clock, now: () => ((clock.reads += 1), clock.ms) };
}
const kept = { ...times, idleMs: 3_600_000 };
const slotRecords = () => connection.collection<{ _id: number; lease?: { until?: Date } }>(collection);

it('slots that a process forgot while the database was away are renewed no more, so that they become free', async () => {
  const { clock, now } = movedClock();
  const { permits, claim, renew } = processOf(2, 'a', 1, kept, now);
  await permits.take('one');
  await permits.take('one');
  renew.mockRejectedValue(new Error('no database'));
  claim.mockRejectedValueOnce(new Error('no database'));
  clock.ms = 21_000;
  await expect(permits.take('one')).rejects.toThrow('no database');
  renew.mockReset();
  const slots = createPermitSlots(connection, collection, 2, 'a');
  renew.mockImplementation(async (ids) => slots.renew(ids));
  // One ends, and is claimed again.
  await slotRecords().updateOne({ _id: 0 }, { $set: { 'lease.until': new Date(0) } });
  await permits.take('one');
  const forgotten = await slotRecords().findOne({ _id: 1 });
  clock.ms += 6_000;
  await expect.poll(() => renew.mock.results.length, patient).toBeGreaterThan(0);
  await renew.mock.results[0]?.value;
  expect(renew.mock.calls[0]).toEqual([[0]]);
  expect(await slotRecords().findOne({ _id: 1 })).toEqual(forgotten);
  await permits.stop();
});

it('every fourth permit goes to parties that nobody waits for, however many calls somebody waits for', async () => {
  const { permits } = processOf(1, 'a', 1, kept, movedClock().now);
  const order: string[] = [];
  const first = await permits.take('run');
  const parties = ['few', 'few', 'few', 'few', 'few', 'few', 'few', 'run', 'run', 'other'];
  const waiting = parties.map(async (party) => {
    const giveBack = await permits.take(party, undefined, { isWaitedFor: party === 'few' });
    order.push(party);
    giveBack();
  });
  first();
  await Promise.all(waiting);
  expect(order).toEqual(['few', 'few', 'few', 'run', 'few', 'few', 'few', 'other', 'few', 'run']);
  await permits.stop();
});

it('a party has what it took for calls of both kinds, and those that somebody waits for pass its own others', async () => {
  const { permits } = processOf(2, 'a', 1, kept, movedClock().now);
  const order: string[] = [];
  await permits.take('large');
  const first = await permits.take('small');
  const calls = [
    ['large', false],
    ['large', true],
    ['small', true],
  ] as const;
  const waiting = calls.map(async ([party, isWaitedFor]) => {
    const giveBack = await permits.take(party, undefined, { isWaitedFor });
    order.push(`${party} ${isWaitedFor}`);
    giveBack();
  });
  first();
  await Promise.all(waiting);
  expect(order).toEqual(['small true', 'large true', 'large false']);
  await permits.stop();
});

it('a process that stood still for longer than its leases last uses no slot that another one has taken since', async () => {
  const { clock, now } = movedClock();
  const { permits, claim, renew } = processOf(1, 'a', 1, kept, now);
  (await permits.take('one'))();
  const taken = { 'lease.token': 'b', 'lease.until': new Date(Date.now() + 3_600_000) };
  await slotRecords().updateOne({ _id: 0 }, { $set: taken });
  clock.ms = 25_000;
  const before = clock.reads;
  await expect.poll(() => clock.reads, patient).toBeGreaterThan(before);
  await Promise.all(renew.mock.results.map(({ value }) => value));
  const claims = claim.mock.calls.length;
  const waiting = permits.take('one');
  await expect.poll(() => claim.mock.calls.length, patient).toBeGreaterThan(claims + 1);
  await createPermitSlots(connection, collection, 1, 'b').release({ id: 0, size: 1 });
  await waiting;
  await permits.stop();
});

it('a process gives up the slots that a renewal finds to be no longer its own', async () => {
  const { clock, now } = movedClock();
  const { permits, claim, renew } = processOf(1, 'a', 1, kept, now);
  (await permits.take('one'))();
  await slotRecords().updateOne({ _id: 0 }, { $set: { 'lease.until': new Date(0) } });
  clock.ms = 6_000;
  await expect.poll(() => renew.mock.results.length, patient).toBeGreaterThan(0);
  await renew.mock.results[0]?.value;
  await permits.take('one');
  expect(claim).toHaveBeenCalledTimes(2);
  await permits.stop();
});
