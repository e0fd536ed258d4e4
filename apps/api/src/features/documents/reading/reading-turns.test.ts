import { expect, it } from 'vitest';
import { createReadingTurns } from './reading-turns.ts';

const [a, b] = ['a', 'b'].map((organizationId) => ({ organizationId, userId: 'ann' }));

it('puts the organization first whose documents took the least time lately', () => {
  let now = 0;
  const turns = createReadingTurns(() => now);
  turns.count(a!, 3_000);
  turns.count(b!, 1_000);
  expect(turns.organizations(['a', 'b', 'c'])).toEqual(['c', 'b', 'a']);
  // What a used is halved four times, and b uses time again.
  now += 240_000;
  turns.count(b!, 1_000);
  expect(turns.organizations(['b', 'a'])).toEqual(['a', 'b']);
});

it('puts the user first whose documents took the least time lately, in the organization whose did', () => {
  const turns = createReadingTurns(() => 0);
  const [ann, ben, cleo] = ['ann', 'ben', 'cleo'].map((userId) => ({ organizationId: 'a', userId }));
  const other = { organizationId: 'b', userId: 'ann' };
  turns.count(ann!, 3_000);
  turns.count(ben!, 500);
  turns.count(other, 4_000);
  expect(turns.users([other, ann!, ben!, cleo!])).toEqual([cleo, ben, ann, other]);
});
