import { expect, it } from 'vitest';
import { createFairPlaces } from './fair-places.ts';

it('a party has no more than its share at once, waits for its own, and holds up no other', async () => {
  const enter = createFairPlaces({ inAll: 3, ofParty: 2 });
  const entered: string[] = [];
  const all = ['a1', 'a2', 'a3', 'b1', 'b2'].map(async (name) => {
    const leave = await enter(name[0]!);
    entered.push(name);
    return leave;
  });
  const [first, second] = await Promise.all(all.slice(0, 2));
  await all[3];
  expect(entered).toEqual(['a1', 'a2', 'b1']);
  first!();
  first!();
  await all[2];
  expect(entered).toEqual(['a1', 'a2', 'b1', 'a3']);
  second!();
  await all[4];
  expect(entered).toEqual(['a1', 'a2', 'b1', 'a3', 'b2']);
});
