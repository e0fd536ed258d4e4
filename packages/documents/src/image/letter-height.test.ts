import { expect, it } from 'vitest';
import { buildPdf, line } from '../testing/build-pdf.ts';
import { pictureOf } from '../testing/picture.ts';
import { findLetters, letterHeight } from './letter-height.ts';

const lines = Array.from({ length: 6 }, (_, index) =>
  line('Paid in cash, with thanks: 12.50', 60, 700 - index * 20, 12),
);

it.each([1, 2, 4])('measures the height of text drawn %d times as large', async (scale) => {
  const picture = await pictureOf(buildPdf({ pages: [{ content: lines.join('') }] }), scale);
  const letters = findLetters(picture);
  // Capitals of this face are 0.72 of its size.
  expect(Math.abs(letterHeight(letters)! - 12 * 0.72 * scale)).toBeLessThanOrEqual(1);
});

it('does not measure a few specks', async () => {
  const picture = await pictureOf(buildPdf({ pages: [{ content: line('Paid', 60, 700, 12) }] }), 2);
  expect(letterHeight(findLetters(picture))).toBeUndefined();
});
