import { expect, it } from 'vitest';
import { observeValues } from './observe-values.ts';

const observation = { grounding: {}, pages: [], validationErrors: [], failedChecks: [] };

it('marks the first value of the last row of a list with missing rows, or the empty list', () => {
  const rows = [1, 2, 3].map((amount) => ({ name: `row ${amount}`, amount }));
  const issues = [{ code: 'rows_missing', path: 'rows' }];
  const observed = observeValues({ ...observation, result: { rows, total: 6 }, issues });
  expect(Object.entries(observed)).toEqual([['rows.2.name', { rowMissing: true }]]);
  expect(observeValues({ ...observation, result: { rows: [] }, issues })).toEqual({ rows: { rowMissing: true } });
});
