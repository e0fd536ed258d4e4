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

it('who gives up leaves the queue, and its place goes to the next', async () => {
  const enter = createFairPlaces({ inAll: 1, ofParty: 1 });
  const leave = await enter('a');
  const signal = AbortSignal.abort(new Error('gone'));
  await expect(enter('a', signal)).rejects.toThrow('gone');
  const later = new AbortController();
  const givenUp = enter('a', later.signal);
  const next = enter('a');
  later.abort(new Error('left'));
  await expect(givenUp).rejects.toThrow('left');
  leave();
  const entered = new AbortController();
  (await next)();
  // After it has entered, the signal changes nothing.
  const last = await enter('a', entered.signal);
  entered.abort();
  last();
  await enter('b');
});

it('a party with many that wait does not come before others that came later', async () => {
  const enter = createFairPlaces({ inAll: 2, ofParty: 2 });
  const entered: string[] = [];
  const leaving: (() => void)[] = [];
  const come = async (name: string) => {
    leaving.push(await enter(name[0]!));
    entered.push(name);
  };
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1'].map(come);
  for (let at = 0; at < all.length; at += 1) {
    await expect.poll(() => leaving.length).toBeGreaterThan(at);
    leaving[at]!();
  }
  await Promise.all(all);
  expect(entered).toEqual(['a1', 'a2', 'b1', 'a3', 'c1', 'b2', 'a4', 'a5']);
});
