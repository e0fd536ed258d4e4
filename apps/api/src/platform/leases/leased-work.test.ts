import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { expect, it, vi } from 'vitest';
import { workUnderLeases } from './leased-work.ts';

const away = new mongoose.mongo.MongoNetworkError('connection closed');

function options(work: Parameters<typeof workUnderLeases<number>>[0]['work'], pieces = [1, 2]) {
  return {
    claim: vi.fn<() => Promise<number | undefined>>(async () => pieces.shift()),
    renew: vi.fn<() => Promise<boolean>>(async () => true),
    renewEveryMs: 5,
    release: vi.fn<(claim: number) => Promise<unknown>>(async () => undefined),
    fail: vi.fn<(claim: number, error: unknown) => Promise<unknown>>(async () => undefined),
    work,
  };
}
const open = () => new AbortController().signal;

it('does one piece after the other, and goes on after one that failed', async () => {
  const done: number[] = [];
  const failure = new Error('broken');
  const given = options(async (claim) => {
    done.push(claim);
    if (claim === 1) throw failure;
  });
  await workUnderLeases(given, open());
  expect(done).toEqual([1, 2]);
  expect(given.fail.mock.calls).toEqual([[1, failure]]);
  expect(given.release).not.toHaveBeenCalled();
});

it('aborts work whose lease is lost, and neither ends nor requeues it', async () => {
  const given = options(async (_claim, { signal }) => await sleep(10_000, undefined, { signal }), [1]);
  given.renew.mockResolvedValue(false);
  await workUnderLeases(given, open());
  expect([given.fail, given.release].flatMap(({ mock }) => mock.calls)).toEqual([]);
});

it('requeues work when the process stops', async () => {
  const stop = new AbortController();
  const given = options(async (_claim, { requireHeld }) => {
    stop.abort();
    await requireHeld();
  });
  await workUnderLeases(given, stop.signal);
  expect(given.release.mock.calls).toEqual([[1]]);
  expect(given.fail).not.toHaveBeenCalled();
});

it('requeues work while the database is away, and leaves the next attempt to the next poll', async () => {
  const given = options(() => Promise.reject(away));
  given.release.mockRejectedValue(away);
  await expect(workUnderLeases(given, open())).rejects.toBe(away);
  expect(given.release.mock.calls).toEqual([[1]]);
  expect(given.fail).not.toHaveBeenCalled();
  expect(given.claim).toHaveBeenCalledOnce();
});
