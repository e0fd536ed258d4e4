import { expect, it, vi } from 'vitest';
import { startHeartbeat } from './heartbeat.ts';

it('renews until stopped, and survives a failed renewal', async () => {
  const renew = vi.fn(async () => true).mockRejectedValueOnce(new Error('no database'));
  const heartbeat = startHeartbeat(renew, 5);
  await vi.waitFor(() => expect(renew.mock.calls.length).toBeGreaterThan(2));
  expect(heartbeat.lost.aborted).toBe(false);
  await heartbeat.stop();
  const count = renew.mock.calls.length;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(renew.mock.calls.length).toBe(count);
});

it('aborts its signal when the lease is lost', async () => {
  const heartbeat = startHeartbeat(async () => false, 5);
  await vi.waitFor(() => expect(heartbeat.lost.aborted).toBe(true));
  await heartbeat.stop();
});
