import type { Counted } from '@docwright/contract';
import { expect, it, vi } from 'vitest';
import { withTotal } from './with-total.ts';

it.each([
  { found: ['a', 'b'], page: { skip: 0, limit: 3 }, total: 2, counts: 0 },
  { found: [], page: { skip: 0, limit: 3 }, total: 0, counts: 0 },
  { found: ['d'], page: { skip: 3, limit: 3 }, total: 4, counts: 0 },
  { found: ['a', 'b', 'c'], page: { skip: 0, limit: 3 }, total: 7, counts: 1 },
  { found: [], page: { skip: 30, limit: 3 }, total: 7, counts: 1 },
])('counts all records only where the page does not show their number: $page, $found', async (given) => {
  const count = vi.fn<() => Promise<Counted>>(async () => ({ total_count: 7 }));
  expect(await withTotal(Promise.resolve(given.found), given.page, count)).toEqual([
    given.found,
    { total_count: given.total },
  ]);
  expect(count).toHaveBeenCalledTimes(given.counts);
});
