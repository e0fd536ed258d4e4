import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRunTime } from './run-time.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('the time of a run stands still while any of its calls waits for a permit', async () => {
  const time = createRunTime(1_000);
  time.start();
  vi.advanceTimersByTime(600);
  const permits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const waits = permits.map(({ promise }) => time.whileWaiting(async () => promise));
  vi.advanceTimersByTime(60_000);
  permits[0]?.resolve();
  await waits[0];
  vi.advanceTimersByTime(60_000);
  permits[1]?.reject(new Error('no database'));
  await expect(waits[1]).rejects.toThrow('no database');
  vi.advanceTimersByTime(399);
  expect(time.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(time.signal.reason).toMatchObject({ reason: 'timeout' });
});

it('the time of a run that has ended does not go on when a call of it gets its permit', async () => {
  const time = createRunTime(1_000);
  time.start();
  const permit = Promise.withResolvers<void>();
  const waiting = time.whileWaiting(async () => permit.promise);
  time.stop();
  permit.resolve();
  await waiting;
  expect(vi.getTimerCount()).toBe(0);
});
