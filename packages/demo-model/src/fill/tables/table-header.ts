import { shareOf, type ValueKind } from '@docwright/language';
import { fold } from '../../page/fold.ts';
import { type LayoutCell, overlap } from '../../page/layout.ts';
import { itemColumns } from '../labels/item-columns.ts';
import { wordSimilarity } from '../labels/word-similarity.ts';
import type { PageContext } from '../reading/page-context.ts';

/** A column of a schema with the headers that it can have. */
export interface WantedColumn {
  name: string;
  words: string;
  kind: ValueKind;
  headers?: RegExp;
  weakHeaders?: RegExp;
  /** Whether it is a rate of a tax, and not its amount. */
  isTaxRate?: boolean;
}

/** A header of one or several lines. Its cells can join texts of several lines. */
export interface TableHeader {
  firstLine: number;
  lastLine: number;
  cells: LayoutCell[];
  /** The header cells of schema columns, by the column's name. */
  columns: ReadonlyMap<string, LayoutCell>;
}

const maxHeaderLines = 4;
const maxHeaderLength = 40;
const minFit = 0.5;
const weakHeaderFit = 0.51;

interface ScoredHeader {
  header: TableHeader;
  score: number;
}

/** Finds the header that matches the most schema columns, and its repetitions on later pages. */
export function findTableHeaders(context: PageContext, wanted: readonly WantedColumn[]): TableHeader[] {
  const headerCells = context.lines.map((line) => line.cells.flatMap(splitHeader));
  const hasHeader = headerCells.map((cells) =>
    cells.some((cell) => wanted.some((column) => headerFit(cell, column) > 0)),
  );
  const found: ScoredHeader[] = [];
  for (const { index } of context.lines) {
    for (let height = 1; height <= maxHeaderLines && continuesHeader(context, index, height); height += 1) {
      const window = headerCells.slice(index, index + height);
      if (!hasHeader.slice(index, index + height).includes(true)) continue;
      const scored = scoreHeader(mergeCells(window), wanted, index, height);
      if (scored) found.push(scored);
    }
  }
  found.sort((a, b) => b.score - a.score || a.header.firstLine - b.header.firstLine);
  const [best] = found;
  if (!best || best.score < 1) return [];
  const repeated: TableHeader[] = [];
  for (const { header } of found) {
    const isSeparate = repeated.every(
      (other) => header.firstLine > other.lastLine || header.lastLine < other.firstLine,
    );
    if (isSeparate && matchedText(header) === matchedText(best.header)) repeated.push(header);
  }
  return repeated.sort((a, b) => a.firstLine - b.firstLine);
}

/** Whether the lines of a possible header have text and are on one page. */
function continuesHeader(context: PageContext, first: number, height: number): boolean {
  const last = context.lines[first + height - 1];
  return last !== undefined && last.cells.length > 0 && last.page === context.lines[first]?.page;
}

function scoreHeader(
  cells: LayoutCell[],
  wanted: readonly WantedColumn[],
  firstLine: number,
  height: number,
): ScoredHeader | null {
  const columns = assignColumns(cells, wanted);
  if (cells.length < 2 || columns.size < Math.min(2, wanted.length)) return null;
  const valueCount = cells.filter((cell) => /\d[.,]\d/u.test(cell.text) || cell.text.length > maxHeaderLength).length;
  const header = { firstLine, lastLine: firstLine + height - 1, cells, columns };
  return { header, score: columns.size - 0.25 * (height - 1) - valueCount };
}

function matchedText({ columns }: TableHeader): string {
  return [...columns.values()].map((cell) => cell.folded).join('|');
}

/** Joins the cells of several lines that share columns. */
function mergeCells(lines: readonly (readonly LayoutCell[])[]): LayoutCell[] {
  const merged: LayoutCell[] = [];
  for (const cell of lines.flat()) {
    const above = merged.find((other) => overlap(other, cell) > 0);
    if (above) {
      above.text += ` ${cell.text}`;
      above.folded += ` ${cell.folded}`;
      above.start = Math.min(above.start, cell.start);
      above.end = Math.max(above.end, cell.end);
    } else merged.push({ ...cell });
  }
  return merged.sort((a, b) => a.start - b.start);
}

/** Splits `Amount VAT %` into two headers, because each half is a known header. */
function splitHeader(cell: LayoutCell): LayoutCell[] {
  if (cell.text.length > maxHeaderLength || /\d/u.test(cell.text) || isKnownHeader(cell)) return [cell];
  for (const gap of cell.text.matchAll(/ /gu)) {
    const left = { ...cell, text: cell.text.slice(0, gap.index), end: cell.start + gap.index };
    const start = cell.start + gap.index + 1;
    const right = { ...cell, text: cell.text.slice(gap.index + 1), start };
    const halves = [left, right].map((half) => ({ ...half, folded: fold(half.text) }));
    if (halves.every(isKnownHeader)) return halves;
  }
  return [cell];
}

function isKnownHeader(cell: Pick<LayoutCell, 'folded'>): boolean {
  return itemColumns.some((column) => shareOf(cell, column.headers) === 1);
}

/** Assigns the best header to each schema column, and each header to one column. */
function assignColumns(cells: readonly LayoutCell[], wanted: readonly WantedColumn[]): Map<string, LayoutCell> {
  const fits = wanted.flatMap((column) =>
    cells.map((cell) => ({ column, cell, score: headerFit(cell, column) })).filter((fit) => fit.score > minFit),
  );
  const columns = new Map<string, LayoutCell>();
  for (const { column, cell } of fits.sort((a, b) => b.score - a.score || b.cell.start - a.cell.start)) {
    if (!columns.has(column.name) && ![...columns.values()].includes(cell)) columns.set(column.name, cell);
  }
  return columns;
}

function headerFit(cell: Pick<LayoutCell, 'text' | 'folded'>, column: WantedColumn): number {
  if (!column.headers) return wordSimilarity(cell.text, column.words);
  const share = shareOf(cell, column.headers);
  if (share > 0) return 0.55 + 0.4 * share;
  return column.weakHeaders && shareOf(cell, column.weakHeaders) > 0.7 ? weakHeaderFit : 0;
}
