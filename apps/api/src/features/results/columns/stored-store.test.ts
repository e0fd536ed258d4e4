import { expect, it } from 'vitest';
import { eachInSteps, inTurns } from '../../../platform/long-values/in-turns.ts';
import { ColumnStore, type NewRow } from './column-store.ts';
import type { RowHead } from './row-head.ts';
import { piecesOfStore, storeOfPieces } from './stored-store.ts';

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

it('a document of many rows with long texts is stored in several pieces, and read as one', async () => {
  const store = new ColumnStore();
  store.replace('a', headOf('a'), rowsOf(3_000, 'long '.repeat(1_000)));
  store.replace('b', headOf('b'), rowsOf(2));
  let current = store;
  // What was read is stored again.
  for (const _ of [1, 2]) {
    const pieces: Buffer[] = [];
    for await (const piece of piecesOfStore(current)) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(3);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(8_000_000);
    current = await storeOfPieces(
      (async function* () {
        yield* pieces;
      })(),
    );
    expect([current.rowsOf('a').length, current.rowsOf('b'), current.size]).toEqual([3_000, [3_000, 3_001], 3_002]);
    expect(current.rowsOf('a').map(current.reader('lines.at'))).toEqual(Array.from({ length: 3_000 }, (_, at) => at));
    expect(new Set(current.rowsOf('a').map((row) => current.head(row))).size).toBe(1);
    expect([current.item(2_999), current.item(3_001)]).toEqual([2_999, 1]);
  }
});

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
