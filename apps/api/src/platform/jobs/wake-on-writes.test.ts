import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Job } from './job-runner.ts';
import { wakeOnWrites } from './wake-on-writes.ts';

const wake = vi.fn<(name: string) => Promise<void>>();
let stopping: AbortController;
let write: (collection: string) => void;
beforeEach(() => {
  wake.mockReset().mockResolvedValue(undefined);
  stopping = new AbortController();
  const job = (name: string, wokenBy?: string[]): Job => ({
    name,
    ...(wokenBy && { wokenBy }),
    everyMs: 1_000,
    concurrency: 1,
    run: async () => undefined,
  });
  const jobs = [job('read', ['files', 'folders']), job('send', ['messages']), job('tidy')];
  write = wakeOnWrites(jobs, { wake, log: { warn: () => undefined }, signal: stopping.signal });
});
afterEach(() => stopping.abort());

it('a write wakes the jobs of its collection alone', async () => {
  write('folders');
  write('jobs');
  await expect.poll(() => wake.mock.calls).toEqual([['read']]);
});

it('many writes wake a job once at first, and once more for those that came since', async () => {
  for (let count = 0; count < 20; count += 1) write('messages');
  await expect.poll(() => wake.mock.calls.length).toBe(1);
  write('messages');
  await expect.poll(() => wake.mock.calls.length, { timeout: 5_000 }).toBe(2);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(wake).toHaveBeenCalledTimes(2);
});

it('a job that could not be woken is woken by the next write', async () => {
  wake.mockRejectedValueOnce(new Error('The database is away.'));
  write('files');
  await expect.poll(() => wake.mock.calls.length).toBe(1);
  write('files');
  await expect.poll(() => wake.mock.calls.length, { timeout: 5_000 }).toBe(2);
});

it('nothing is woken after the stop', async () => {
  write('files');
  stopping.abort();
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(wake).not.toHaveBeenCalled();
});
