import mongoose, { type Connection } from 'mongoose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { connectTestDatabase } from '../../testing/test-database.ts';
import { createLeases, type Claim } from './leases.ts';
import { thisProcess } from './process-identity.ts';
import { describeLease } from './testing/lease-suite.ts';

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
const fields = { token: 'lease.token', until: 'lease.until', holder: 'lease.holder' };
const jobs = () => connection.collection('jobs_under_lease');
const leases = () => createLeases<Job>(jobs(), fields);

async function newJob(place = 0): Promise<{ _id: mongoose.Types.ObjectId }> {
  const _id = new mongoose.Types.ObjectId();
  await jobs().insertOne({ _id, place });
  return { _id };
}

describeLease<Claim<Job>>('a record', async () => {
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

it('is free at once where the holder is a process that is known to have died', async () => {
  const job = await newJob();
  const claim = (await leases().claim(job, { milliseconds }))!;
  expect(await leases().claim(job, { milliseconds })).toBeUndefined();
  const dead = { ...thisProcess, instance: 'before', pid: thisProcess.pid };
  await jobs().updateOne(job, { $set: { 'lease.holder': dead } });
  expect(await leases().claim(job, { milliseconds })).toBeDefined();
  expect(await leases().write(job, claim.token, { $set: { result: 'late' } })).toBe(false);
});

it.each([1, -1])('is held whatever clock a process has, %i hours ahead', async (hoursAhead) => {
  const job = await newJob();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hoursAhead * 3_600_000 });
  expect(await leases().claim(job, { milliseconds })).toBeDefined();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * hoursAhead * 3_600_000 });
  expect(await leases().claim(job, { milliseconds })).toBeUndefined();
});

it('applies a last update when it is released', async () => {
  const job = await newJob();
  const { token } = (await leases().claim(job, { milliseconds }))!;
  expect(await leases().release(job, token, { $set: { result: 'done' }, $unset: { place: 1 } })).toBe(true);
  expect(await jobs().findOne(job)).toEqual({ ...job, result: 'done', lease: { holder: thisProcess } });
});
