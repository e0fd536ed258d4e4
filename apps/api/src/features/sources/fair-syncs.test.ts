import { afterEach, expect, it, vi } from 'vitest';
import { turnMs } from './sync-places.ts';
import { startWithSilentSource } from './testing/silent-source.ts';

let stop: () => Promise<void>;
afterEach(async () => {
  vi.useRealTimers();
  await stop();
});

it('a server that never answers delays no other organization, also when its sources come first', async () => {
  const bench = await startWithSilentSource();
  stop = bench.stop;
  const [hostile, honest] = [await bench.app.addOrganization(), await bench.app.addOrganization()];
  // One at a time: a run that has begun finds nothing else to do yet.
  for (let count = 1; count <= 5; count += 1) {
    bench.setSilent(false);
    await bench.silentSource(hostile);
    bench.setSilent(true);
    bench.runner.poll();
    await vi.waitFor(() => expect(bench.waiting()).toBe(Math.min(count, 3)));
  }
  bench.s3.objects.set('a.txt', 'One');
  const state = await bench.honestSource(honest);
  bench.runner.poll();
  // Not the file that was taken: its sync can be followed by another, which finds it unchanged.
  await vi.waitFor(async () => expect((await state()).counts).toMatchObject({ seen: 1 }), { timeout: 5_000 });
  expect(bench.waiting()).toBe(3);
});

it('servers of two organizations that never answer give their places up after a turn, if another organization waits', async () => {
  const bench = await startWithSilentSource();
  stop = bench.stop;
  bench.s3.objects.set('a.txt', 'One');
  const hostile = [await bench.app.addOrganization(), await bench.app.addOrganization()];
  const honest = await bench.app.addOrganization();
  for (const client of hostile) for (let count = 0; count < 3; count += 1) await bench.silentSource(client);
  bench.setSilent(true);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  bench.runner.poll();
  await vi.waitFor(() => expect(bench.waiting()).toBe(6));
  const state = await bench.honestSource(honest);
  bench.runner.poll();
  await vi.advanceTimersByTimeAsync(turnMs);
  await vi.waitFor(async () => expect((await state()).counts).toMatchObject({ seen: 1 }), { timeout: 20_000 });
});
