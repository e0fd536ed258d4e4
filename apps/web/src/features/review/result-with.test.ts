import { expect, it } from 'vitest';
import { resultWith } from './result-with.ts';

const result = { total: 5, note: 'x', rows: [{ amount: 2 }, { amount: 3 }] };

it('sets one value in a copy of the result', () => {
  expect(resultWith(result, [], 'rows.1.amount', 4)).toEqual({ ...result, rows: [{ amount: 2 }, { amount: 4 }] });
  expect(resultWith(result, [], 'rows.7.amount', 4)).toEqual(result);
  expect(resultWith(undefined, [], 'total', 4)).toBeUndefined();
  expect(result.rows[1]!.amount).toBe(3);
});

it('applies the decisions first; of two about one value the later one counts', () => {
  const decided = [
    { item: { path: 'total' }, action: 'correct' as const, value: 7 },
    { item: { path: 'note' }, action: 'clear' as const },
    { item: { path: 'rows' }, action: 'correct' as const, value: [{ amount: 9 }] },
    { item: { path: 'total' }, action: 'correct' as const, value: 6 },
    { item: { path: 'rows.0.amount' }, action: 'confirm' as const },
  ];
  expect(resultWith(result, decided, 'rows.0.amount', 1)).toEqual({ total: 7, note: null, rows: [{ amount: 1 }] });
});
