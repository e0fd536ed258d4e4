import { expect, it } from 'vitest';
import { createSyncPlaces } from './sync-places.ts';

it('gives an organization no more than its share of the places, also to claims at the same time', async () => {
  const due = ['a', 'a', 'a', 'a', 'b', 'c', 'c'].map((organization) => ({ organization }));
  const places = createSyncPlaces<{ organization: string }>({
    inAll: 4,
    ofOrganization: 2,
    organizationOf: ({ organization }) => organization,
  });
  const claim = async (full: readonly string[]) => {
    const at = due.findIndex(({ organization }) => !full.includes(organization));
    return at < 0 ? undefined : due.splice(at, 1)[0];
  };
  const taken = await Promise.all(Array.from({ length: 6 }, () => places.take(claim)));
  expect(taken.map((each) => each?.organization)).toEqual(['a', 'a', 'b', 'c', undefined, undefined]);
  places.release(taken[0]!);
  expect(await places.take(claim)).toEqual({ organization: 'a' });
  await expect(places.take(async () => Promise.reject(new Error('down')))).resolves.toBeUndefined();
  places.release(taken[2]!);
  await expect(places.take(async () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await places.take(claim)).toEqual({ organization: 'c' });
});
