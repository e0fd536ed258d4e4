import { fold } from '../page/fold.ts';
import { overlap, type Cell } from '../page/layout.ts';
import type { ValueKind } from './concept.ts';
import { itemColumns } from './item-columns.ts';
import { shareOf } from './label.ts';
import type { PageContext } from './page-context.ts';
import { wordSimilarity } from './word-similarity.ts';

/** A column that a schema asks for. */
export interface WantedColumn {
  name: string;
  words: string;
  kind: ValueKind;
  headers?: RegExp;
  weakHeaders?: RegExp;
}

/** One header text, with the columns of the page it stands over. */
export interface HeaderCell {
  text: string;
  folded: string;
  start: number;
  end: number;
}

export interface TableHeader {
  firstLine: number;
  lastLine: number;
  cells: HeaderCell[];
  /** Which header cell belongs to which wanted column. */
  columns: ReadonlyMap<string, HeaderCell>;
}

const tallestHeader = 4;
const longestHeader = 40;
const leastFit = 0.5;
const weakFit = 0.51;

/** The headers in a document that cover most of the wanted columns; one for each page where a table goes on. */
export function findTableHeaders(context: PageContext, wanted: readonly WantedColumn[]): TableHeader[] {
  const headerCells = context.lines.map((line) => line.cells.flatMap(splitHeader));
  const found: { header: TableHeader; score: number }[] = [];
  for (const line of context.lines) {
    for (let height = 1; height <= tallestHeader; height += 1) {
      const lines = context.lines.slice(line.index, line.index + height);
      if (lines.length < height || lines.some((one) => one.cells.length === 0 || one.page !== line.page)) break;
      const cells = mergeCells(lines.map((one) => headerCells[one.index] ?? []));
      if (cells.length < 2) continue;
      const columns = assignColumns(cells, wanted);
      const needed = wanted.length === 1 ? 1 : 2;
      if (columns.size < needed) continue;
      const others = cells.filter((cell) => /\d[.,]\d/u.test(cell.text) || cell.text.length > 40).length;
      const score = columns.size - 0.25 * (height - 1) - others;
      found.push({ header: { firstLine: line.index, lastLine: line.index + height - 1, cells, columns }, score });
    }
  }
  found.sort((a, b) => b.score - a.score || a.header.firstLine - b.header.firstLine);
  const best = found[0];
  if (!best || best.score < 1) return [];
  const names = [...best.header.columns.values()].map((cell) => cell.folded).join('|');
  const same = found.filter(
    ({ header }) => [...header.columns.values()].map((cell) => cell.folded).join('|') === names,
  );
  return same.map(({ header }) => header).sort((a, b) => a.firstLine - b.firstLine);
}

function mergeCells(lines: readonly (readonly Cell[])[]): HeaderCell[] {
  const merged: HeaderCell[] = [];
  for (const cell of lines.flat()) {
    const over = merged.find((other) => overlap(other, cell) > 0);
    if (over) {
      over.text += ` ${cell.text}`;
      over.folded += ` ${cell.folded}`;
      over.start = Math.min(over.start, cell.start);
      over.end = Math.max(over.end, cell.end);
    } else merged.push({ ...cell });
  }
  return merged.sort((a, b) => a.start - b.start);
}

/** `Amount VAT %` are two headers that stand close together: both halves are whole headers by themselves. */
function splitHeader(cell: Cell): Cell[] {
  if (cell.text.length > longestHeader || /\d/u.test(cell.text)) return [cell];
  for (const gap of cell.text.matchAll(/ /gu)) {
    const left = { ...cell, text: cell.text.slice(0, gap.index), end: cell.start + gap.index };
    const start = cell.start + gap.index + 1;
    const right = { ...cell, text: cell.text.slice(gap.index + 1), start };
    const halves = [left, right].map((half) => ({ ...half, folded: fold(half.text) }));
    const isWhole = itemColumns.some((column) => shareOf(cell, column.headers) === 1);
    if (!isWhole && halves.every((half) => itemColumns.some((column) => shareOf(half, column.headers) === 1)))
      return halves;
  }
  return [cell];
}

/** Gives each wanted column the header that fits best, each header once. */
function assignColumns(cells: readonly HeaderCell[], wanted: readonly WantedColumn[]): Map<string, HeaderCell> {
  const fits = wanted.flatMap((column) =>
    cells.map((cell) => ({ column, cell, score: headerFit(cell, column) })).filter((fit) => fit.score > leastFit),
  );
  const columns = new Map<string, HeaderCell>();
  for (const { column, cell } of fits.sort((a, b) => b.score - a.score || b.cell.start - a.cell.start)) {
    if (!columns.has(column.name) && ![...columns.values()].includes(cell)) columns.set(column.name, cell);
  }
  return columns;
}

function headerFit(cell: HeaderCell, column: WantedColumn): number {
  if (!column.headers) return wordSimilarity(cell.text, column.words);
  const share = shareOf(cell, column.headers);
  if (share > 0) return 0.55 + 0.4 * share;
  return column.weakHeaders && shareOf(cell, column.weakHeaders) > 0.7 ? weakFit : 0;
}
