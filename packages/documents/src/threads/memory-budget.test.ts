import { expect, it, vi } from 'vitest';
import { createMemoryBudget, readingMemoryBytes } from './memory-budget.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

it('never grants more than it has, and grants what is released', async () => {
  const budget = createMemoryBudget(100, 1_000);
  expect([budget.share, budget.alone]).toEqual([25, 75]);
  const held = await Promise.all([1, 2, 3, 4].map(() => budget.acquire(25)));
  const granted = vi.fn<() => void>();
  void budget.acquire(25).then(granted);
  await settled();
  expect(granted).not.toHaveBeenCalled();
  held[0]!.release();
  held[0]!.release();
  await settled();
  expect(granted).toHaveBeenCalledOnce();
});

it('leaves a share to small documents beside a large one, and is not kept from the large one by them', async () => {
  const budget = createMemoryBudget(100, 1_000);
  const small = await Promise.all([1, 2, 3].map(() => budget.acquire(25)));
  const large = vi.fn<() => void>();
  const late = vi.fn<() => void>();
  void budget.acquire(budget.alone).then(large);
  void budget.acquire(25).then(late);
  await settled();
  // The fourth share would be free, but the large one waits for it.
  expect(late).not.toHaveBeenCalled();
  for (const grant of small.slice(0, 2)) grant.release();
  await settled();
  expect(large).toHaveBeenCalledOnce();
  small[2]!.release();
  await settled();
  expect(late).toHaveBeenCalledOnce();
});

it('asks for idle memory when a request waits, and forgets a request that is aborted', async () => {
  const budget = createMemoryBudget(100, 1_000);
  const grant = await budget.acquire(75);
  const free = vi.fn<() => void>(() => grant.release());
  budget.onShort(free);
  const abort = new AbortController();
  await budget.acquire(75, abort.signal);
  expect(free).toHaveBeenCalledOnce();
  const never = budget.acquire(75, abort.signal);
  abort.abort(new Error('no longer wanted'));
  await expect(never).rejects.toThrow('no longer wanted');
});

it('is a part of what the process may use, unless a setting says otherwise', () => {
  const gigabyte = 1024 ** 3;
  expect(readingMemoryBytes(undefined, 2 * gigabyte)).toBe(Math.floor(2 * gigabyte * 0.3));
  expect(readingMemoryBytes('1000', 2 * gigabyte)).toBe(1000 * 1024 * 1024);
  expect(readingMemoryBytes('nonsense', gigabyte / 4)).toBe(256 * 1024 * 1024);
});
