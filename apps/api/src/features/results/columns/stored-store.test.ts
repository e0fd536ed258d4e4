import { expect, it } from 'vitest';
import { eachInSteps, inTurns } from '../../../platform/long-values/in-turns.ts';
import { ColumnStore, type NewRow } from './column-store.ts';
import type { RowHead } from './row-head.ts';

const headOf = (document_id: string): RowHead => ({
  document_id,
  document_name: 'Order.pdf',
  prompt_revid: 'b'.repeat(24),
  version: 1,
  release: 'open',
  is_verified: false,
  is_complete: true,
  changed_at: 0,
});
const rowsOf = (count: number, note = 'x'): NewRow[] =>
  Array.from({ length: count }, (_, item) => ({
    item,
    cells: new Map<string, string | number>([
      ['lines.at', item],
      ['note', note],
    ]),
  }));

it('an order by document has rows that were added before its first step', async () => {
  const store = new ColumnStore();
  store.replace('a', headOf('a'), rowsOf(1));
  store.replace('c', headOf('c'), rowsOf(1));
  // The time of this turn is used up: the first step is in a later one.
  await inTurns(eachInSteps([], () => undefined));
  for (const started = performance.now(); performance.now() - started < 20;);
  const ordered = store.orders.byId();
  store.replace('b', headOf('b'), rowsOf(1));
  expect([...(await ordered)]).toEqual([0, 2, 1]);
});
