import { expect, it } from 'vitest';
import { mergedPaths, mergeResults, withoutRows } from './merge-results.ts';

const pieces = [
  {
    from: 3,
    to: 4,
    result: { no: 'a1', total: 12, due: null, rows: [{ x: 3 }], tags: ['b', 'c'], seller: { vat: 'X' } },
  },
  {
    from: 1,
    to: 2,
    result: { no: 'A1 ', total: null, due: '', rows: [{ x: 1 }, { x: 1 }], tags: ['a', 'b'], seller: { name: 'N' } },
  },
  { from: 5, to: 5, result: { no: 'B2', total: 12, due: null, rows: [], tags: [], seller: null } },
];

it('merges fields from the piece that has them, and rows in the order of the pages', () => {
  const merged = mergeResults(pieces);
  expect(merged.result).toEqual({
    no: 'A1 ',
    total: 12,
    due: '',
    rows: [{ x: 1 }, { x: 1 }, { x: 3 }],
    tags: ['a', 'b', 'c'],
    seller: { name: 'N', vat: 'X' },
  });
  expect(merged.conflicts).toEqual([
    {
      path: 'no',
      values: [
        { value: 'A1 ', pages: [1, 3] },
        { value: 'B2', pages: [5] },
      ],
    },
  ]);
});

it('maps the paths of a piece to those of the merged result', () => {
  const merged = mergeResults(pieces);
  const path = mergedPaths(merged, { from: 3, to: 4 });
  expect(['rows.0.x', 'total', 'no', 'tags.1', 'tags.0'].map(path)).toEqual([
    'rows.2.x',
    'total',
    undefined,
    'tags.2',
    undefined,
  ]);
  const less = withoutRows(merged, 'rows', new Set([1]));
  expect(less.result).toMatchObject({ rows: [{ x: 1 }, { x: 3 }] });
  expect(mergedPaths(less, { from: 3, to: 4 })('rows.0.x')).toBe('rows.1.x');
  expect(merged.result).toMatchObject({ rows: [{ x: 1 }, { x: 1 }, { x: 3 }] });
});
