import { expect, it } from 'vitest';
import { formatDay } from '../../../shared/formats/locale.ts';
import { valueChanges } from './value-changes.ts';

it('lists changed values with their row, and new and removed ones', () => {
  const before = { total: 5, gone: 'x', lines: [{ amount: 1 }, { amount: 2 }] };
  const after = { total: 6, lines: [{ amount: 1 }, { amount: 3 }], paid: true };
  expect(valueChanges(before, after)).toEqual([
    { path: 'total', label: 'Total', before: '5.00', after: '6.00' },
    { path: 'lines.1.amount', label: 'Amount, row 2', before: '2.00', after: '3.00' },
    { path: 'paid', label: 'Paid', before: '', after: 'Yes' },
    { path: 'gone', label: 'Gone', before: 'x', after: '' },
  ]);
  expect(valueChanges(before, before)).toEqual([]);
});

it('writes dates as everywhere else', () => {
  const schema = { properties: { due: { type: 'string', format: 'date' } } };
  const [change] = valueChanges({ due: '2026-01-31' }, { due: '2026-02-01' }, schema);
  expect(change).toMatchObject({ before: formatDay('2026-01-31'), after: formatDay('2026-02-01') });
  expect(change!.before).not.toBe('2026-01-31');
});
