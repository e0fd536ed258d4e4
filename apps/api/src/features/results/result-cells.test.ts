import { expect, it } from 'vitest';
import { ColumnStore } from './columns/column-store.ts';
import type { RowHead } from './columns/row-head.ts';
import { inTurns } from '../../platform/long-values/in-turns.ts';
import { maxCellLength, resultRowSteps } from './result-cells.ts';

it('keeps of a long text as much as a cell of a spreadsheet has, with a mark where it was cut', async () => {
  const long = 'x'.repeat(1_000_000);
  const deep = Array.from({ length: 12 }).reduce<unknown>((inner) => ({ a: inner }), long);
  const result = { text: long, list: [long, 'y'], deep, short: 'as it is', total: 5 };
  const { rows } = await inTurns(resultRowSteps(result, {}, undefined));
  const cells = rows[0]!.cells;
  expect(cells.get('short')).toBe('as it is');
  expect(cells.get('total')).toBe(5);
  const cut = [...cells].filter(([path]) => path !== 'short' && path !== 'total');
  expect(cut).toHaveLength(3);
  for (const [, cell] of cut) {
    expect(cell).toHaveLength(maxCellLength);
    expect(String(cell).endsWith('x…')).toBe(true);
  }
});

it('counts a long text as several values, so that a process keeps fewer of such tables', () => {
  const weigh = (text: string) => {
    const store = new ColumnStore();
    store.replace('a', {} as RowHead, [{ cells: new Map([['text', text]]) }]);
    return store.cells;
  };
  expect(weigh('x'.repeat(10_000))).toBeGreaterThanOrEqual(weigh('x') + 100);
});

it('writes the digits of numbers in a list that JSON would round, also within a table', async () => {
  const long = '9007199254740993';
  const result = {
    list: [Number(long), 1],
    inner: { list: [2, Number(long)] },
    items: [{ list: [3] }, { list: [Number(long)] }],
  };
  const exact = { 'list.0': long, 'inner.list.1': long, 'items.1.list.0': long };
  const { rows } = await inTurns(resultRowSteps(result, exact, undefined));
  expect(Object.fromEntries(rows[0]!.cells)).toEqual({ list: `${long}; 1`, 'inner.list': `2; ${long}` });
  const table = await inTurns(resultRowSteps(result, exact, 'items'));
  expect(table.rows.map(({ cells }) => cells.get('items.list'))).toEqual(['3', long]);
});
