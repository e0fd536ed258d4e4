import { afterEach, expect, it, vi } from 'vitest';
import { startHeartbeat, type Heartbeat } from './heartbeat.ts';

let heartbeat: Heartbeat;
afterEach(() => heartbeat.stop());

it('renews until stopped, and survives a failed renewal, which it reports', async () => {
  const failure = new Error('no database');
  const renew = vi.fn(async () => true).mockRejectedValueOnce(failure);
  const onFailure = vi.fn<(error: unknown) => void>();
  heartbeat = startHeartbeat(renew, 5, { onFailure });
  await vi.waitFor(() => expect(renew.mock.calls.length).toBeGreaterThan(2));
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
  await vi.waitFor(() => expect(heartbeat.lost.aborted).toBe(true));
  await expect(heartbeat.requireHeld()).rejects.toBe(lostReason);
});

it('gives the lease up after a time without a successful renewal', async () => {
  const failedWhileHeld: boolean[] = [];
  const renew = async () => {
    failedWhileHeld.push(!heartbeat.lost.aborted);
    throw new Error('no database');
  };
  heartbeat = startHeartbeat(renew, 5, { giveUpAfterMs: 40 });
  await vi.waitFor(() => expect(heartbeat.lost.aborted).toBe(true));
  expect(failedWhileHeld[0]).toBe(true);
});

it('renews before a write only if the last renewal is older than two beats', async () => {
  const renew = vi.fn(async () => true);
  // Its timer does not fire during the test, like that of a suspended process.
  heartbeat = startHeartbeat(renew, 60_000);
  await heartbeat.requireHeld();
  expect(renew).not.toHaveBeenCalled();
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 130_000);
  await heartbeat.requireHeld();
  expect(renew).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
  heartbeat.lose();
  await expect(heartbeat.requireHeld()).rejects.toThrow();
});
