import { afterEach, expect, it, vi } from 'vitest';
import { startHeartbeat, type Heartbeat } from './heartbeat.ts';

let heartbeat: Heartbeat;
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await heartbeat.stop();
});

it('renews until stopped, and survives a failed renewal, which it reports', async () => {
  const failure = new Error('no database');
  const renew = vi.fn(async () => true).mockRejectedValueOnce(failure);
  const onFailure = vi.fn<(error: unknown) => void>();
  heartbeat = startHeartbeat(renew, 5, { onFailure });
  await vi.waitFor(() => expect(renew.mock.calls.length).toBeGreaterThan(2), 10_000);
  expect(heartbeat.lost.aborted).toBe(false);
  expect(onFailure.mock.calls).toEqual([[failure]]);
  await heartbeat.stop();
  const count = renew.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(renew.mock.calls.length).toBe(count);
});

it('aborts its signal with the given reason when the lease is lost', async () => {
  const lostReason = new Error('Another process has it.');
  heartbeat = startHeartbeat(async () => false, 5, { lostReason });
  await vi.waitFor(() => expect(heartbeat.lost.aborted).toBe(true), 10_000);
  await expect(heartbeat.requireHeld()).rejects.toBe(lostReason);
});

it('gives the lease up after a time without a successful renewal, and reports each failed renewal once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval', 'performance'] });
  const onFailure = vi.fn<(error: unknown) => void>();
  const renew = () => new Promise<never>((_, reject) => setTimeout(() => reject(new Error('no database')), 14));
  heartbeat = startHeartbeat(renew, 5, { giveUpAfterMs: 19, onFailure });
  await vi.advanceTimersByTimeAsync(19);
  expect(heartbeat.lost.aborted).toBe(false);
  expect(onFailure).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(15);
  expect(heartbeat.lost.aborted).toBe(true);
});

it('renews before a write only if the last renewal is older than two beats', async () => {
  const start = 1_000_000;
  const clock = vi.spyOn(performance, 'now').mockReturnValue(start);
  const renew = vi.fn(async () => true);
  // Its timer does not fire during the test, like that of a suspended process.
  heartbeat = startHeartbeat(renew, 60_000);
  clock.mockReturnValue(start + 120_000);
  await heartbeat.requireHeld();
  expect(renew).not.toHaveBeenCalled();
  clock.mockReturnValue(start + 120_001);
  await heartbeat.requireHeld();
  expect(renew).toHaveBeenCalledOnce();
});

it('refuses a write of a suspended process that has lost the lease, and renews no more', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const renew = vi.fn(async () => false);
  heartbeat = startHeartbeat(renew, 60_000);
  clock.mockReturnValue(130_000);
  await expect(heartbeat.requireHeld()).rejects.toThrow();
  await expect(heartbeat.requireHeld()).rejects.toThrow();
  expect(renew).toHaveBeenCalledOnce();
});

it('refuses a write after the database refused one', async () => {
  heartbeat = startHeartbeat(async () => true, 60_000);
  heartbeat.lose();
  await expect(heartbeat.requireHeld()).rejects.toThrow();
});
