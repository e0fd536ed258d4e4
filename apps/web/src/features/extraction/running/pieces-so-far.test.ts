import { expect, test } from 'vitest';
import { piecesSoFar } from './pieces-so-far.ts';

test('rows follow the order of the pages, whichever piece is finished first', () => {
  expect(
    piecesSoFar([
      { from: 4, to: 6, result: { no: null, rows: [{ a: 2 }] } },
      { from: 1, to: 3, result: { no: 'A', rows: [{ a: 1 }] } },
      { from: 5, to: 6, result: { no: null, rows: [{ a: 2 }] } },
    ]),
  ).toEqual({ no: 'A', rows: [{ a: 1 }, { a: 2 }] });
  expect(piecesSoFar([])).toBeUndefined();
});
