import { overlap, type Cell } from '../page/layout.ts';
import type { HeaderCell } from './table-header.ts';

/** What leaving a cell out costs, in columns: further away than this, a cell belongs to no header. */
const leavingOut = 24;

/** What a second cell under one header costs, as two headers may stand too close to be told apart. */
const sharing = 12;

interface Matching {
  cost: number;
  pairs: readonly [Cell, HeaderCell][];
}

/**
 * Gives the cells of a row to headers so that the order is kept and the distances are smallest in sum. A number that
 * stands between two headers goes where the other cells of its row leave room.
 */
export function assignCells(cells: readonly Cell[], headers: readonly HeaderCell[]): readonly [Cell, HeaderCell][] {
  let previous: Matching[] = headers.map(() => ({ cost: 0, pairs: [] }));
  previous.unshift({ cost: 0, pairs: [] });
  for (const cell of cells) {
    const current: Matching[] = [];
    for (let used = 0; used <= headers.length; used += 1) {
      const without = previous[used]!;
      let best: Matching = { cost: without.cost + leavingOut, pairs: without.pairs };
      const header = headers[used - 1];
      const before = previous[used - 1];
      if (header && before) {
        const cost = before.cost + distance(cell, header);
        if (cost < best.cost) best = { cost, pairs: [...before.pairs, [cell, header]] };
        const shared = without.cost + distance(cell, header) + sharing;
        if (shared < best.cost) best = { cost: shared, pairs: [...without.pairs, [cell, header]] };
        const fewer = current[used - 1]!;
        if (fewer.cost < best.cost) best = fewer;
      }
      current.push(best);
    }
    previous = current;
  }
  return previous.at(-1)?.pairs ?? [];
}

/** The gap between a cell and a header; centres decide between headers that both overlap. */
function distance(cell: Cell, header: HeaderCell): number {
  const gap = Math.max(0, -overlap(cell, header));
  return gap + 0.05 * Math.abs((cell.start + cell.end - header.start - header.end) / 2);
}
