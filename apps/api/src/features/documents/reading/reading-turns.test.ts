import { expect, it } from 'vitest';
import { createReadingTurns } from './reading-turns.ts';

it('puts the organization first whose documents took the least time lately', () => {
  let now = 0;
  const turns = createReadingTurns(() => now);
  turns.count('a', 3_000);
  turns.count('b', 1_000);
  expect(turns.inOrder(['a', 'b', 'c'])).toEqual(['c', 'b', 'a']);
  // What a used is halved four times, and b uses time again.
  now += 240_000;
  turns.count('b', 1_000);
  expect(turns.inOrder(['b', 'a'])).toEqual(['a', 'b']);
});
