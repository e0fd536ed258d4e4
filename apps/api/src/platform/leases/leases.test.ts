import mongoose, { type Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { logCommands } from '../../testing/database-use/command-log.ts';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createLeases, leaseFields, type LeaseClaim, type LeaseFields } from './leases.ts';
import { thisProcess } from './process-identity.ts';
import { createSharedLeases } from './shared-leases.ts';
import { describeLease, describeSharedLease } from './testing/lease-suite.ts';

interface Job {
  _id: mongoose.Types.ObjectId;
  place: number;
  attempts?: number;
  result?: string;
}

let connection: Connection;
beforeAll(async () => {
  connection = await connectTestDatabase();
});
afterAll(async () => connection.close());
afterEach(() => vi.useRealTimers());

const milliseconds = 60_000;
const jobs = () => connection.collection('jobs_under_lease');
const leases = () => createLeases<Job>(jobs(), leaseFields);

async function newJob(place = 0): Promise<{ _id: mongoose.Types.ObjectId }> {
  const _id = new mongoose.Types.ObjectId();
  await jobs().insertOne({ _id, place });
  return { _id };
}

describeLease<LeaseClaim<Job>>('a record', async () => {
  const job = await newJob();
  return {
    claim: () => leases().claim(job, { milliseconds }),
    renew: async ({ token }) => (await leases().renew(job, token, milliseconds)) !== undefined,
    write: ({ token }) => leases().write(job, token, { $set: { result: 'done' } }),
    release: async ({ token }) => void (await leases().release(job, token)),
    expire: async () => void (await jobs().updateOne(job, { $set: { 'lease.until': new Date(0) } })),
  };
});

it('claims the first of several free records, and sets fields with the claim', async () => {
  const [later, first] = [await newJob(2), await newJob(1)];
  const which = { _id: { $in: [later._id, first._id] } };
  const set = { attempts: { $add: [{ $ifNull: ['$attempts', 0] }, 1] } };
  const claim = await leases().claim(which, { milliseconds, sort: { place: 1 }, set });
  expect(claim?.record).toMatchObject({ ...first, attempts: 1 });
  expect((await leases().claim(which, { milliseconds, sort: { place: 1 } }))?.record).toMatchObject(later);
  expect(await leases().claim(which, { milliseconds })).toBeUndefined();
});

const dead = { ...thisProcess, instance: 'before' };

it('is free at once if its holder is known to have died', async () => {
  const [alive, job] = [await newJob(), await newJob()];
  await leases().claim(alive, { milliseconds });
  const claim = (await leases().claim(job, { milliseconds }))!;
  const either = { _id: { $in: [alive._id, job._id] } };
  expect(await leases().claim(either, { milliseconds })).toBeUndefined();
  await jobs().updateOne(job, { $set: { 'lease.holder': dead } });
  expect((await leases().claim(either, { milliseconds }))?.record).toMatchObject(job);
  expect(await leases().write(job, claim.token, { $set: { result: 'late' } })).toBe(false);
});

it('passes every record of a dead process to one of several that claim at once', async () => {
  const left = await Promise.all([newJob(), newJob(), newJob()]);
  const which = { _id: { $in: left.map(({ _id }) => _id) } };
  for (const job of left) await leases().claim(job, { milliseconds });
  await jobs().updateMany(which, { $set: { 'lease.holder': dead } });
  const claims = await Promise.all(left.map(() => leases().claim(which, { milliseconds })));
  expect(new Set(claims.map((claim) => claim?.record._id.toHexString()))).toEqual(
    new Set(left.map(({ _id }) => _id.toHexString())),
  );
});

it.each([1, -1])('is held even by a process whose clock is %i hours ahead', async (hoursAhead) => {
  const job = await newJob();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hoursAhead * 3_600_000 });
  expect(await leases().claim(job, { milliseconds })).toBeDefined();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * hoursAhead * 3_600_000 });
  expect(await leases().claim(job, { milliseconds })).toBeUndefined();
});

it('applies a last update on release', async () => {
  const job = await newJob();
  const { token } = (await leases().claim(job, { milliseconds }))!;
  expect(await leases().release(job, token, { $set: { result: 'done' }, $unset: { place: 1 } })).toBe(true);
  expect(await jobs().findOne(job)).toEqual({ ...job, result: 'done', lease: { holder: thisProcess } });
});

it('renews one record or many, with further fields, and returns the record', async () => {
  const [one, other] = [await newJob(), await newJob()];
  const { token, record } = (await leases().claim(one, { milliseconds, before: true }))!;
  expect(record).toEqual({ ...one, place: 0 });
  await leases().claim(other, { milliseconds });
  const both = { _id: { $in: [one._id, other._id] } };
  await jobs().updateMany(both, { $set: { 'lease.until': new Date(0) } });
  await leases().renewAll(both, milliseconds);
  expect(await leases().claim(both, { milliseconds })).toBeUndefined();
  const renewed = await leases().renew(one, token, milliseconds, { result: { $literal: 'half' } });
  expect(renewed).toMatchObject({ ...one, result: 'half' });
});

const until = new Date(0);
it.each<[LeaseFields, object]>([
  [leaseFields, { lease: { token: 'first', until, holder: null } }],
  [
    { token: 'own_token', until: 'own_until' },
    { own_token: 'first', own_until: until },
  ],
])('creates offered and granted records in the fields %j', async (where, stored) => {
  const own = createLeases<Job>(jobs(), where);
  const [offered, granted] = [await newJob(), await newJob()];
  await jobs().updateOne(offered, [{ $set: own.offered('first') }]);
  expect(await jobs().findOne(offered)).toEqual({ ...offered, place: 0, ...stored });
  expect(await own.write(offered, 'first', { $set: { result: 'kept' } })).toBe(true);
  expect(await own.claim(offered, { milliseconds, token: 'second' })).toMatchObject({ token: 'second' });
  await jobs().updateOne(granted, [{ $set: own.granted('third', milliseconds) }]);
  expect(await own.claim({ _id: { $in: [offered._id, granted._id] } }, { milliseconds })).toBeUndefined();
  expect(await own.renew(granted, 'third', milliseconds)).toMatchObject({ place: 0 });
  const record = await jobs().findOne(granted);
  expect(record).toHaveProperty((where.token as string).split('.'), 'third');
  expect(record).not.toHaveProperty('undefined');
});

const shared = () => createSharedLeases(jobs(), { tokens: 'runs', until: 'runs_until' });

describeSharedLease('a record', async () => {
  const job = await newJob();
  return {
    join: () => shared().join(job, milliseconds),
    renew: (token) => shared().renew(job, token, milliseconds),
    leave: async (token) => void (await shared().leave(job, token)),
    holders: async () => ((await jobs().findOne(job))!['runs'] as string[]).length,
    expire: async () => void (await jobs().updateOne(job, { $set: { runs_until: new Date(0) } })),
    end: () => shared().end(job, () => ({})),
  };
});

it('sets and removes fields with a shared lease, only for its holders', async () => {
  const job = await newJob();
  const token = await shared().join(job, milliseconds, { state: { $literal: 'busy' } }, ['place']);
  expect(await jobs().findOne(job)).toEqual({ ...job, state: 'busy', runs: [token], runs_until: expect.any(Date) });
  expect(await shared().leave(job, token, { $set: { state: 'idle' } })).toBe(true);
  expect(await shared().leave(job, token, { $set: { state: 'late' } })).toBe(false);
  expect(await jobs().findOne(job)).toMatchObject({ state: 'idle', runs: [] });
  const [dead, alive] = [await newJob(), await newJob()];
  for (const record of [dead, alive]) await shared().join(record, milliseconds);
  await jobs().updateOne(dead, { $set: { runs_until: new Date(0) } });
  expect(await shared().end({ _id: { $in: [dead._id, alive._id] } }, () => ({ $set: { state: 'ended' } }))).toBe(1);
  expect(await jobs().findOne(dead)).toMatchObject({ state: 'ended', runs: [] });
});

it('a claim of rare work that finds none is one read, and takes what a dead process held', async () => {
  const rare = { place: 4_711 };
  const log = logCommands(connection);
  expect(await leases().claim(rare, { milliseconds, isRare: true })).toBeUndefined();
  expect(log.commands.map(({ name }) => name)).toEqual(['find']);
  log.stop();
  const { _id } = await newJob(rare.place);
  expect((await leases().claim(rare, { milliseconds, isRare: true }))?.record).toMatchObject({ _id });
  expect(await leases().claim(rare, { milliseconds, isRare: true })).toBeUndefined();
  await jobs().updateOne({ _id }, { $set: { 'lease.until': new Date(0) } });
  expect((await leases().claim(rare, { milliseconds, isRare: true }))?.record).toMatchObject({ _id });
});
