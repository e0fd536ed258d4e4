import { expect, it } from 'vitest';
import { resultTree, fieldsOf } from '../../shared/values/result-tree.ts';
import { checkMessages, riskLabel } from '../../shared/values/review-labels.ts';
import { isToCheck, toCheckOnly, whyToCheck, type Reviews } from './value-risk.ts';

const open = (risk: number, ...reasons: Reviews[string]['reasons']) => ({
  risk,
  reasons,
  state: 'open' as const,
  to_check: reasons.length > 0,
});
const reviews: Reviews = {
  total: open(0.4, 'check_failed'),
  date: open(0.02),
  'rows.0.amount': open(0.02),
  'rows.1.amount': open(0.6, 'not_found'),
  seller: { ...open(0.9, 'not_found'), state: 'confirmed', to_check: false },
};
const failed = [
  { id: 'sum', message: 'The rows do not add up', severity: 'error' as const, fields: ['total', 'rows[].amount'] },
];

it('keeps open values with a reason, and the table rows that contain one', () => {
  const tree = resultTree({ total: 5, date: 'x', seller: 'y', rows: [{ amount: 1 }, { amount: 2 }] }, undefined);
  expect(fieldsOf(toCheckOnly(tree, reviews)).map(({ path }) => path)).toEqual(['total', 'rows.1.amount']);
  expect(Object.keys(reviews).filter((path) => isToCheck(reviews[path]))).toEqual(['total', 'rows.1.amount']);
});

it('explains a risk with the messages of the failed checks', () => {
  expect(checkMessages('rows.1.amount', failed)).toEqual(['The rows do not add up']);
  expect(checkMessages('rows.1.quantity', failed)).toEqual([]);
  expect(whyToCheck(reviews['total']!, checkMessages('total', failed))).toMatch(/40.*%.*: The rows do not add up$/u);
});

it('never says that a value cannot be wrong', () => {
  expect([0, 0.004, 0.01, 0.5].map(riskLabel).map((text) => text.replaceAll(/\s/gu, ''))).toEqual([
    'under1%',
    'under1%',
    '1%',
    '50%',
  ]);
});
