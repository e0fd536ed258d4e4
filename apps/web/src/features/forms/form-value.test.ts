import { describe, expect, it } from 'vitest';
import { changesBetween, moved, rebase, withValueAt } from './form-value.ts';

const base = {
  total: 110,
  note: null,
  party: { name: 'A', city: 'B' },
  items: [
    { text: 'one', amount: 1 },
    { text: 'two', amount: 2 },
  ],
};

describe('changesBetween', () => {
  it('finds the smallest changed fields, in lists too', () => {
    const mine = {
      ...base,
      total: 99,
      party: { name: 'A', city: 'C' },
      items: [base.items[0], { text: 'two', amount: 3 }],
    };
    expect(changesBetween(base, mine)).toEqual([
      { path: 'total', value: 99 },
      { path: 'party.city', value: 'C' },
      { path: 'items.1.amount', value: 3 },
    ]);
  });

  it('appends rows one by one, and sends a list with a deleted row as a whole', () => {
    const row = { text: 'three', amount: 3 };
    expect(changesBetween(base, { ...base, items: [...base.items, row] })).toEqual([{ path: 'items.2', value: row }]);
    expect(changesBetween(base, { ...base, items: [base.items[1]] })).toEqual([
      { path: 'items', value: [base.items[1]] },
    ]);
  });

  it('sends a reversed list as a whole', () => {
    const many = Array.from({ length: 12 }, (_, index) => ({ amount: index }));
    expect(changesBetween({ many }, { many: many.toReversed() })).toHaveLength(1);
  });
});

describe('rebase', () => {
  const changes = changesBetween(base, { ...base, total: 99, note: 'mine' });

  it('keeps typed values beside fields that others changed', () => {
    const theirs = { ...base, party: { name: 'Z', city: 'B' } };
    expect(rebase(base, changes, theirs)).toEqual({
      value: { ...theirs, total: 99, note: 'mine' },
      conflicts: [],
      lost: [],
    });
  });

  it('reports fields that both changed, except to the same value', () => {
    expect(rebase(base, changes, { ...base, total: 50, note: 'mine' })).toMatchObject({
      value: { total: 99, note: 'mine' },
      conflicts: ['total'],
    });
  });

  it('reports changes whose field no longer exists', () => {
    const change = { path: 'items.1.amount', value: 7 };
    expect(rebase(base, [change], { ...base, items: [] })).toMatchObject({ lost: [change], conflicts: [] });
  });
});

it('sets a value only if its parent exists', () => {
  expect(withValueAt(base, 'items.2', 'new')).toMatchObject({ items: [base.items[0], base.items[1], 'new'] });
  expect(withValueAt(base, 'items.4', 'new')).toBeUndefined();
  expect(withValueAt(base, 'note.below', 'new')).toBeUndefined();
});

it('moves an item, but not past the ends', () => {
  expect(moved([1, 2, 3], 2, 0)).toEqual([3, 1, 2]);
  expect(moved([1, 2, 3], 0, -1)).toEqual([1, 2, 3]);
});
