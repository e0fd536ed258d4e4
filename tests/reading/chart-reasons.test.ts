import { expect, it } from 'vitest';
import { inventedNames, scaleNumbers } from './reasons.ts';
import type { PlacedWord } from './words.ts';

/** Numbers one below the other, from the top. */
const columnOf = (numbers: readonly number[]): PlacedWord[] =>
  numbers.map((number, at) => ({ text: String(number), place: { x0: 10, x1: 20, y0: 20 * at, y1: 20 * at + 10 } }));
const textsOf = (words: Iterable<PlacedWord>): string[] => [...words].map(({ text }) => text);

it('takes numbers for the scale of a chart that also are categories, if others of the scale are none', () => {
  const categories = new Set(['1', '2', '3', '4', '5']);
  const scale = ['0', '10', '12', '2', '4', '6', '8'];
  expect(textsOf(scaleNumbers(columnOf([12, 10, 8, 6, 4, 2, 0]), categories)).sort()).toEqual(scale);
  expect(textsOf(scaleNumbers(columnOf([5, 4, 3, 2, 1]), categories))).toEqual([]);
  // One number beside the categories may be anything.
  expect(textsOf(scaleNumbers(columnOf([6, 5, 4, 3, 2, 1]), categories))).toEqual([]);
});

it('tells the names that LibreOffice makes for series without one', () => {
  const words = 'A Column B Row 3 Column B; 4 Column of numbers Row'.split(' ').map((text) => ({ text }));
  expect(textsOf(inventedNames(words))).toEqual(['Column', 'B', 'Row', '3', 'Column', 'B;']);
});
