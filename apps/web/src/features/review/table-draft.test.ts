import { expect, it } from 'vitest';
import { isChanged, listOf, tableDraft, tablePathOf, withCell, withRow, withoutRow } from './table-draft.ts';

const schema = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      text: { type: ['string', 'null'] },
      count: { type: 'integer' },
      unit: { enum: ['kg', 'm'], type: 'string' },
      paid: { type: 'boolean' },
    },
  },
};
const rows = [
  { text: 'Oil', count: 2, unit: 'kg', paid: true },
  { text: 'Bell', count: 1, unit: 'm', paid: false, note: 'new' },
];

it('edits cells, inserts and deletes rows, and counts the changes', () => {
  const start = tableDraft(rows, schema);
  expect(start.columns.map(({ key }) => key)).toEqual(['text', 'count', 'unit', 'paid', 'note']);
  expect(isChanged(start, rows)).toBe(false);
  const more = withRow(withCell(start, 1, 'text', 'Chain'), 1);
  expect(listOf(more)[1]).toEqual({ text: null, count: 0, unit: 'kg', paid: false, note: null });
  expect(more.rows.map(({ origin }) => origin)).toEqual([0, undefined, 1]);
  expect(isChanged(more, rows)).toBe(true);
  expect(listOf(withoutRow(more, 0)).map(({ text }) => text)).toEqual([null, 'Chain']);
  expect(isChanged(withoutRow(withRow(start, 2), 2), rows)).toBe(false);
  expect(new Set(withRow(withRow(start, 0), 0).rows.map(({ id }) => id)).size).toBe(4);
});

it('finds the table of a path, but not a list with nested objects', () => {
  const result = {
    total: 1,
    lines: rows,
    deep: { list: [{ a: 1 }] },
    tags: ['a'],
    nested: [{ a: { b: 1 } }],
    none: [],
  };
  const paths = ['lines.1.text', 'deep.list.0.a', 'total', 'tags.0', 'nested.0.a.b', 'none'];
  expect(paths.map((path) => tablePathOf(path, result))).toEqual([
    'lines',
    'deep.list',
    undefined,
    undefined,
    undefined,
    'none',
  ]);
});
