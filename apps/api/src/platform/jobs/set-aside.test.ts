import { expect, it, vi } from 'vitest';
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
