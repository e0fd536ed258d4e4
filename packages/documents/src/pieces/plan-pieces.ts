import type { PrintedTable } from '../row-counting/count-rows.ts';

/** Pages of a document that one request holds: from and to, both included, counted from 1. */
export interface Piece {
  from: number;
  to: number;
}

export interface PieceLimits {
  /** Characters of page text in one request. */
  characters: number;
  /** Rows of tables whose values one answer can hold. */
  rows: number;
}

export interface PlannedPage {
  page_num: number;
  /** Length of its text in UTF-16 units. */
  characters: number;
}

/** Of a piece that is full: how much of it can be given to the next one, so that a table is not cut. */
const GIVEN_UP = 0.5;

/**
 * Plans the pages of a document into requests. A cut comes between two pages, and where it can, not within a table. A
 * page beyond the limits is a piece of its own.
 *
 * @param pages In order, without gaps.
 * @returns At least one piece; one alone where everything fits.
 */
export function planPieces(
  pages: readonly PlannedPage[],
  tables: readonly PrintedTable[],
  limits: PieceLimits,
): Piece[] {
  const rowsOn = new Map<number, number>();
  for (const { rows } of tables) {
    for (const { page_num } of rows) rowsOn.set(page_num, (rowsOn.get(page_num) ?? 0) + 1);
  }
  const within = pagesWithinTables(tables);
  const pieces: Piece[] = [];
  let start = 0;
  while (start < pages.length) {
    let characters = 0;
    let rows = 0;
    let end = start;
    for (; end < pages.length; end += 1) {
      const page = pages[end]!;
      characters += page.characters;
      rows += rowsOn.get(page.page_num) ?? 0;
      if (end > start && (characters > limits.characters || rows > limits.rows)) break;
    }
    if (end < pages.length) {
      const least = start + Math.max(1, Math.ceil((end - start) * (1 - GIVEN_UP)));
      for (let cut = end; cut >= least; cut -= 1) {
        if (within.has(pages[cut]!.page_num)) continue;
        end = cut;
        break;
      }
    }
    pieces.push({ from: pages[start]!.page_num, to: pages[end - 1]!.page_num });
    start = end;
  }
  return pieces;
}

/** The two halves of a piece, cut between tables if possible near the middle; undefined for a single page. */
export function splitPiece({ from, to }: Piece, tables: readonly PrintedTable[]): [Piece, Piece] | undefined {
  if (from === to) return undefined;
  const within = pagesWithinTables(tables);
  const middle = Math.floor((from + to + 1) / 2);
  const reach = Math.floor((to - from) / 4);
  let cut = middle;
  for (let off = 0; off <= reach; off += 1) {
    const free = [middle - off, middle + off].find((page) => page > from && page <= to && !within.has(page));
    if (free === undefined) continue;
    cut = free;
    break;
  }
  return [
    { from, to: cut - 1 },
    { from: cut, to },
  ];
}

/** Pages that begin within a table: it has rows on the page before and on this one. */
function pagesWithinTables(tables: readonly PrintedTable[]): Set<number> {
  const within = new Set<number>();
  for (const { rows } of tables) {
    const on = new Set(rows.map(({ page_num }) => page_num));
    for (const page of on) if (on.has(page - 1)) within.add(page);
  }
  return within;
}

/** More would be a page of forms, which has no continuing rows. */
const MAX_HEADERS = 5;
const MAX_HEADER_LENGTH = 600;
const FEWEST_ROWS = 10;

/** What a piece is shown of the tables that go on from earlier pages: the lines that name their columns. */
export function headersFor({ from, to }: Piece, tables: readonly PrintedTable[]): { page_num: number; text: string }[] {
  return tables
    .flatMap(({ rows, header }) => {
      const first = rows[0];
      if (!first || header.length === 0 || first.page_num >= from || rows.length < FEWEST_ROWS) return [];
      const goesOn = rows.some(({ page_num }) => page_num >= from && page_num <= to);
      return goesOn ? [{ page_num: first.page_num, text: header.join('\n').slice(0, MAX_HEADER_LENGTH) }] : [];
    })
    .slice(0, MAX_HEADERS);
}
