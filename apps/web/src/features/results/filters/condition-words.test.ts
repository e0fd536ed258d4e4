import { expect, it } from 'vitest';
import type { ShownColumn } from '../columns/result-columns.ts';
import { conditionsOf, conditionWords, editableText, typedCondition, whereOf } from './condition-words.ts';

const columns: ShownColumn[] = [
  { path: 'supplier', label: 'Supplier', kind: 'text' },
  { path: 'total', label: 'Total', kind: 'number' },
  { path: 'due', label: 'Due', kind: 'date' },
  { path: 'paid', label: 'Paid', kind: 'boolean' },
];
const words = (where: string) => conditionsOf(where).map((condition) => conditionWords(condition, columns));

it('says conditions in words', () => {
  expect(words('supplier~acme and total>=1000 and paid=true and supplier=null')).toEqual([
    'Supplier contains “acme”',
    `Total is at least ${(1000).toLocaleString()}`,
    'Paid is Yes',
    'Supplier is empty',
  ]);
  expect(words('due<2026-12-01')[0]).toMatch(/^Due is before .*2026/);
  expect(words('other>=5 and supplier>m')).toEqual(['other is at least “5”', 'Supplier is more than “m”']);
  expect(words('no condition')).toEqual([]);
});

it('reads what a user typed', () => {
  const typed = (at: number, choice: '=' | '~' | 'empty', text: string) => typedCondition(columns[at]!, choice, text);
  expect(typed(1, '=', '1234.5')).toEqual({ condition: { path: 'total', op: '=', value: '1234.5' } });
  expect(typed(1, '=', 'many')).toMatchObject({ error: expect.stringContaining('number') });
  expect(typed(0, '~', ' Sand and Stone ')).toEqual({
    condition: { path: 'supplier', op: '~', value: 'Sand and Stone' },
  });
  expect(typed(0, '~', ' ')).toMatchObject({ error: 'Enter a value.' });
  expect(typed(0, 'empty', '')).toEqual({ condition: { path: 'supplier', op: '=', value: null } });
  expect(editableText('1234.5', 'number')).toMatch(/^1234.5$/);
  expect(whereOf(conditionsOf('total>=5'))).toBe('total>=5');
  expect(whereOf([])).toBeUndefined();
});
