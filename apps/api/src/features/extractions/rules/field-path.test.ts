import { expect, it } from 'vitest';
import { isAtOrBelow, withValueAt } from './field-path.ts';

const result = { total: '5', rows: [{ amount: 1 }, { amount: 2 }], seller: { name: null } };

it('sets a value in a copy, and reports whether the path is new', () => {
  expect(withValueAt(result, 'rows.1.amount', 3)).toEqual({
    result: { ...result, rows: [{ amount: 1 }, { amount: 3 }] },
    isNew: false,
  });
  expect(withValueAt(result, 'seller.name', 'A')).toMatchObject({ result: { seller: { name: 'A' } }, isNew: false });
  expect(withValueAt(result, 'rows.2', { amount: 9 })).toMatchObject({ isNew: true });
  expect(withValueAt(result, 'date', 'x')).toMatchObject({ result: { date: 'x' }, isNew: true });
  expect(result.rows[1]?.amount).toBe(2);
});

it.each([
  'nothing.here',
  'rows.3',
  'rows.-1',
  'rows.01',
  'rows.length',
  'rows.2.amount',
  'total.x',
  'seller.name.x',
  'rows.0.__proto__',
  '__proto__.polluted',
  'constructor.prototype.polluted',
  'seller.toString.x',
])('refuses %s', (path) => {
  expect(() => withValueAt(result, path, 1)).toThrow(
    expect.objectContaining({ kind: 'invalid', code: 'unknown_path' }),
  );
  expect('polluted' in {}).toBe(false);
});

it('compares paths by whole segments', () => {
  expect(isAtOrBelow('rows.1.amount', 'rows.1')).toBe(true);
  expect(isAtOrBelow('rows.10', 'rows.1')).toBe(false);
});
