import type { PrintedTable } from '../row-counting/count-rows.ts';
import type { RowMatch } from './match-rows.ts';
import type { MergedRow } from './merge-results.ts';

/** The entries of a list of the result, with the printed row of each. */
export interface MatchedList {
  path: string;
  rows: readonly MergedRow[];
  matches: readonly (RowMatch | undefined)[];
}

/** By table that several lists are read from: the path of the list of each of its rows. */
export type RowOwners = ReadonlyMap<number, readonly (string | undefined)[]>;

/** Share of the rows of a list, or of a table, that match if the list is read from the table. */
const minMatchedShare = 0.3;

/** The tables that a list is read from. */
export function tablesOf({ matches, rows }: MatchedList, tables: readonly PrintedTable[]): Set<number> {
  const counts = new Map<number, number>();
  for (const match of matches) if (match) counts.set(match.table, (counts.get(match.table) ?? 0) + 1);
  return new Set(
    [...counts]
      .filter(
        ([table, count]) =>
          count >= 2 &&
          (count >= rows.length * minMatchedShare || count >= tables[table]!.rows.length * minMatchedShare),
      )
      .map(([table]) => table),
  );
}

/**
 * The lists of the rows of tables that several lists are read from: tables of the same columns on the same pages are counted as one.
 * A row that no list has belongs to the list of the nearest row, because the tables have a distance and a header between them.
 */
export function listsOfRows(lists: readonly MatchedList[], tables: readonly PrintedTable[]): RowOwners {
  const readers = new Map<number, MatchedList[]>();
  for (const list of lists) {
    for (const table of tablesOf(list, tables)) readers.set(table, [...(readers.get(table) ?? []), list]);
  }
  const shared = [...readers].filter(([, of]) => of.length > 1);
  return new Map(shared.map(([table, of]) => [table, ownersIn(table, of, tables[table]!)]));
}

function ownersIn(table: number, lists: readonly MatchedList[], { rows }: PrintedTable): (string | undefined)[] {
  const owners: { path: string; score: number }[] = [];
  for (const { path, matches } of lists) {
    for (const match of matches) {
      if (match?.table !== table || match.is_repeated) continue;
      if (match.score > (owners[match.row]?.score ?? 0)) owners[match.row] = { path, score: match.score };
    }
  }
  let before: number | undefined;
  const next = nextTaken(rows.length, owners);
  return rows.map((row, at) => {
    const owner = owners[at];
    if (owner) {
      before = at;
      return owner.path;
    }
    const distanceTo = (other: number | undefined): number => {
      const found = other === undefined ? undefined : rows[other];
      return found?.page_num === row.page_num ? Math.abs(found.y0 - row.y0) : Infinity;
    };
    const nearest = distanceTo(before) <= distanceTo(next[at]) ? (before ?? next[at]) : next[at];
    return nearest === undefined ? undefined : owners[nearest]?.path;
  });
}

/** For each row, the next one that a list has. */
function nextTaken(length: number, owners: readonly unknown[]): (number | undefined)[] {
  const next: (number | undefined)[] = [];
  let following: number | undefined;
  for (let at = length - 1; at >= 0; at -= 1) {
    next[at] = following;
    if (owners[at] !== undefined) following = at;
  }
  return next;
}
