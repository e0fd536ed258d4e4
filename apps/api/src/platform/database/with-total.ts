import type { Counted } from '@docwright/contract';

/**
 * A page of records with the number of all. They are counted only where the page does not show it: most lists fit on one page, and a
 * count costs as much as the list.
 *
 * @param page records from `skip`, at most `limit`
 */
export async function withTotal<Found>(
  page: PromiseLike<Found[]>,
  { skip, limit }: { skip: number; limit: number },
  count: () => PromiseLike<Counted>,
): Promise<[found: Found[], counted: Counted]> {
  const found = await page;
  const isLast = found.length < limit && (found.length > 0 || skip === 0);
  return [found, isLast ? { total_count: skip + found.length } : await count()];
}
