import { expect, it } from 'vitest';
import { sharesOf } from './shares-of-sample.ts';

it.each([
  // One of each type first.
  [[6, 2, 2, 1, 1, 1, 1, 1, 1], 8, [1, 1, 1, 1, 1, 1, 1, 1, 0]],
  [[6, 2, 1, 1, 1, 1], 8, [3, 1, 1, 1, 1, 1]],
  [[900, 90, 10], 20, [17, 2, 1]],
  [[3, 1], 20, [3, 1]],
  [[], 20, []],
])('%j, %i at most', (counts, most, shares) => {
  expect(sharesOf(counts, most)).toEqual(shares);
});
