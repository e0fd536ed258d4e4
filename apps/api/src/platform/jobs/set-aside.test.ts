import { expect, it, vi } from 'vitest';
import { createJobRunner } from './job-runner.ts';
import { createSetAside } from './set-aside.ts';

const log = { error: vi.fn<() => void>() };
const fails = () => Promise.reject(new Error('broken'));

it('sets aside what fails, for a while', async () => {
  const aside = createSetAside({ log, failure: 'it failed' });
  expect([await aside.work('a', fails), await aside.work('b', async () => undefined)]).toEqual([false, true]);
  expect(aside.ids()).toEqual(['a']);
  expect(log.error).toHaveBeenCalledWith(expect.objectContaining({ record: 'a' }), 'it failed');
  const short = createSetAside({ log, failure: 'it failed', againAfterMs: 0 });
  await short.work('a', fails);
  expect(short.ids()).toEqual([]);
  await aside.work('a', async () => undefined);
  expect(aside.ids()).toEqual([]);
});

it('throws once so many fail that the cause is another one', async () => {
  const aside = createSetAside({ log, failure: 'it failed' });
  for (let at = 0; at < 1_000; at += 1) await aside.work(String(at), fails);
  await expect(aside.work('more', fails)).rejects.toThrow('broken');
});

it('a job tries what failed again when it is due, without a sweep', async () => {
  vi.useFakeTimers();
  try {
    const aside = createSetAside({ log, failure: 'it failed' });
    const work = vi.fn<() => Promise<void>>(fails).mockRejectedValueOnce(new Error('broken'));
    work.mockResolvedValue(undefined);
    const run = async () => {
      for (const id of ['a', 'b']) if (!aside.ids().includes(id)) await aside.work(id, work);
    };
    const job = { name: 'work', everyMs: 3_600_000, concurrency: 1, run };
    await createJobRunner(job, new AbortController().signal, { log }).run();
    expect(work).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(9_900);
    expect(work).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1_200);
    // Of “a”, which failed, and of “b”.
    expect(work).toHaveBeenCalledTimes(4);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(work).toHaveBeenCalledTimes(4);
  } finally {
    vi.useRealTimers();
  }
});

it('a job that leaves out what a request has set aside runs when it is due, without a sweep', async () => {
  vi.useFakeTimers();
  try {
    const aside = createSetAside({ log, failure: 'it failed' });
    await aside.work('a', fails);
    const work = vi.fn<() => Promise<void>>(async () => undefined);
    const run = async () => {
      if (!aside.ids().includes('a')) await aside.work('a', work);
    };
    const job = { name: 'work', everyMs: 3_600_000, concurrency: 1, run };
    await createJobRunner(job, new AbortController().signal, { log }).run();
    expect(work).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(11_100);
    expect(work).toHaveBeenCalledOnce();
  } finally {
    vi.useRealTimers();
  }
});
