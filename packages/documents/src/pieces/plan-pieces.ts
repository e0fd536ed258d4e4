import type { PrintedTable } from '../row-counting/count-rows.ts';

/** Pages of a document for one request: first and last, both included, counted from 1. */
export interface Piece {
  from: number;
  to: number;
}

/** The page numbers of a piece. */
export function pagesOf({ from, to }: Piece): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** Limits of one request. */
export interface PieceLimits {
  /** Characters of page text. */
  characters: number;
  /** Rows of tables whose values fit into one answer. */
  rows: number;
}

/** A page to plan. */
export interface PlannedPage {
  page_num: number;
  /** Length of its text in UTF-16 units. */
  characters: number;
}

/** Share of a full piece that can move to the next one, so that a table is not cut. */
const maxMovedShare = 0.5;

/**
 * Divides the pages of a document into pieces, one for each request. It cuts between two pages, and outside of tables if
 * possible. A page beyond the limits is a piece of its own.
 *
 * @param pages In order, without gaps.
 * @param tables As `createRowCounter` returns them.
 * @returns The pieces in order; a single one if everything fits.
 *
 * @example
 * ```ts
 * import { planPieces } from '@docwright/documents/long';
 *
 * const pages = [1, 2, 3].map((page_num) => ({ page_num, characters: 4_000 }));
 * console.log(planPieces(pages, [], { characters: 8_000, rows: 100 })); // [{ from: 1, to: 2 }, { from: 3, to: 3 }]
 * ```
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
      const minEnd = start + Math.max(1, Math.ceil((end - start) * (1 - maxMovedShare)));
      for (let cut = end; cut >= minEnd; cut -= 1) {
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

/** Splits a piece near its middle, outside of tables if possible. Undefined for a single page. */
export function splitPiece({ from, to }: Piece, tables: readonly PrintedTable[]): [Piece, Piece] | undefined {
  if (from === to) return undefined;
  const within = pagesWithinTables(tables);
  const middle = Math.floor((from + to + 1) / 2);
  const reach = Math.floor((to - from) / 4);
  let cut = middle;
  for (let off = 0; off <= reach; off += 1) {
    const outside = [middle - off, middle + off].find((page) => page > from && page <= to && !within.has(page));
    if (outside === undefined) continue;
    cut = outside;
    break;
  }
  return [
    { from, to: cut - 1 },
    { from: cut, to },
  ];
}

/** Pages that start within a table: it has rows on the previous page and on this one. */
function pagesWithinTables(tables: readonly PrintedTable[]): Set<number> {
  const within = new Set<number>();
  for (const { rows } of tables) {
    const tablePages = new Set(rows.map(({ page_num }) => page_num));
    for (const page of tablePages) if (tablePages.has(page - 1)) within.add(page);
  }
  return within;
}

/** More headers come from forms, whose rows do not continue. */
const maxHeaders = 5;
const maxHeaderLength = 600;
/** A shorter table needs no header. */
const minTableRows = 10;

/**
 * The headers of the tables that continue in a piece from earlier pages. A request for the piece includes them, so that the model
 * knows the columns.
 *
 * @returns For each table, the page of its header and the lines that name its columns.
 *
 * @example
 * ```ts
 * import { headersFor, type PrintedTable } from '@docwright/documents/long';
 *
 * declare const tables: PrintedTable[];
 * for (const { page_num, text } of headersFor({ from: 3, to: 5 }, tables)) console.log(`Page ${page_num}: ${text}`);
 * ```
 */
export function headersFor({ from, to }: Piece, tables: readonly PrintedTable[]): { page_num: number; text: string }[] {
  return tables
    .flatMap(({ rows, header }) => {
      const first = rows[0];
      if (!first || header.length === 0 || first.page_num >= from || rows.length < minTableRows) return [];
      const continues = rows.some(({ page_num }) => page_num >= from && page_num <= to);
      return continues ? [{ page_num: first.page_num, text: header.join('\n').slice(0, maxHeaderLength) }] : [];
    })
    .slice(0, maxHeaders);
}
