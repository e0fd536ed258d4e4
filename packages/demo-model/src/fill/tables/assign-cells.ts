import { overlap, type Cell } from '../../page/layout.ts';
import type { HeaderCell } from './table-header.ts';

/** Cost of leaving a cell out, in columns: a cell further away than this belongs to no header. */
const leavingOut = 24;

/** Cost of a second cell under one header, because two headers can be too close to be distinguished. */
const sharing = 12;

interface Matching {
  cost: number;
  pairs: readonly [Cell, HeaderCell][];
}

/**
 * Assigns the cells of a row to headers in order, with the smallest sum of distances. A number between two headers goes
 * to the one that the other cells of its row leave free.
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

/** The gap between a cell and a header; for two overlapping headers, the distance of the centres. */
function distance(cell: Cell, header: HeaderCell): number {
  const gap = Math.max(0, -overlap(cell, header));
  return gap + 0.05 * Math.abs((cell.start + cell.end - header.start - header.end) / 2);
}
