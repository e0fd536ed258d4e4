import type { Word } from '../../page/page.ts';
import { boundsOf, groupRows, type Row } from '../rows/rows.ts';
import type { Grid, GridCell } from './ruled-grid.ts';
import { runsOf, type Stretch } from './runs.ts';
import { textOf, type FilledCell, type FoundTable } from './table.ts';

/** A box with more lines has text of the page and is no cell of a table. */
const maxCellLines = 12;
const minCells = 4;
/** With so many lines of several cells in one row of the grid, each of them is a row of the table. */
const minInnerRows = 3;
/** Share of the fullest line's cells from which on a line starts a row. */
const minFullLineShare = 0.6;
/** A cell that spans fewer rows is not split. */
const minSpannedRows = 3;
/** Share of the columns of a spanning cell that must have text, so that it is split. */
const minFilledColumnShare = 0.6;
const amount = /^[^\p{L}]*\d[^\p{L}]*$/u;
/** A number with two decimals, with or without a sign and a currency: two of them one below the other are two rows. */
const money = /^(?:\p{Lu}{3}|\p{Sc})?[\s\-+−–(]*\d[\d.,'’\s]*[.,]\d{2}\)?[\s-]*(?:\p{Lu}{2,3}|\p{Sc})?$/u;
const day = /^\d{1,2}[./]\d{1,2}[./]\d{2}$/u;

/** Places words in a grid. Undefined if they do not form a table. */
export function fillGrid<CellWord extends Word>(
  grid: Grid,
  words: readonly CellWord[],
): FoundTable<CellWord> | undefined {
  const wordsOfCells = new Map<GridCell, CellWord[]>();
  for (const word of words) {
    const [x, y] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2];
    if (x < grid.x0 || x > grid.x1 || y < grid.y0 || y > grid.y1) continue;
    const cell = grid.cells.find(({ x0, y0, x1, y1 }) => x >= x0 && x < x1 && y >= y0 && y < y1);
    if (!cell) continue;
    const inCell = wordsOfCells.get(cell);
    if (inCell) inCell.push(word);
    else wordsOfCells.set(cell, [word]);
  }
  const filledCells = splitTallCells(wordsOfCells, grid).flatMap((filled) => splitByColumn(filled, grid));
  const rows = Map.groupBy(filledCells, ({ cell }) => cell.row);
  const cells: FilledCell<CellWord>[] = [];
  let added = 0;
  for (const row of [...rows.keys()].sort((a, b) => a - b)) {
    const filled = rows.get(row)!;
    const tops = innerRows(filled);
    for (const { cell, lines } of filled) {
      const { column, row_span, column_span } = cell;
      const parts = tops.length > 1 && row_span === 1 ? linesByRow(lines, tops) : [lines];
      for (const [index, part] of parts.entries()) {
        if (part.length === 0) continue;
        cells.push({ row: row + added + index, column, row_span, column_span, lines: part, captionLines: 0 });
      }
    }
    added += tops.length - 1;
  }
  if (cells.length < minCells || cells.some(({ lines }) => lines.length > maxCellLines)) return undefined;
  const table = compact({ ...grid, kind: 'ruled' as const, cells });
  return table.rows > 1 && table.columns > 1 ? table : undefined;
}

interface Filled<CellWord extends Word> {
  cell: GridCell;
  lines: Row<CellWord>[];
}

/** The lines of each cell. A cell that spans several rows and has one line in each of them becomes a cell of each row. */
function splitTallCells<CellWord extends Word>(
  wordsOfCells: ReadonlyMap<GridCell, CellWord[]>,
  { cells }: Grid,
): Filled<CellWord>[] {
  const tops = new Map(cells.map(({ row, y0 }) => [row, y0]));
  return [...wordsOfCells].flatMap(([cell, words]): Filled<CellWord>[] => {
    const lines = groupRows(words);
    const { row, row_span } = cell;
    if (row_span < minSpannedRows || lines.length !== row_span) return [{ cell, lines }];
    const isInRow = (line: Row<CellWord>, at: number): boolean => {
      const middle = (line.y0 + line.y1) / 2;
      return middle >= tops.get(row + at)! && middle < (tops.get(row + at + 1) ?? cell.y1);
    };
    if (!lines.every((line, at) => tops.has(row + at) && isInRow(line, at))) return [{ cell, lines }];
    return lines.map((line, at) => ({ cell: { ...cell, row: row + at, row_span: 1 }, lines: [line] }));
  });
}

/**
 * The tops of the table's rows within one row of the grid. Where only the columns are ruled, a row of the grid has several of them;
 * otherwise it has one. A line with an amount below another one is a row too, such as a discount below its item.
 */
function innerRows(filled: readonly Filled<Word>[]): number[] {
  const ofOneRow = filled.filter(({ cell }) => cell.row_span === 1);
  const all = ofOneRow.flatMap(({ cell, lines }) =>
    lines.map((line) => ({ ...boundsOf([line]), text: textOf([line]), column: cell.column })),
  );
  const lines = groupRows(all);
  const fullest = lines.reduce((most, { words }) => Math.max(most, words.length), 0);
  if (fullest < 2 || lines.length < 2) return [-Infinity];
  const isFull = ({ words }: Row): boolean => words.length > 1 && words.length >= fullest * minFullLineShare;
  const withAmount = new Set<number>();
  let hasSecondAmount = false;
  const tops: number[] = [];
  for (const line of lines) {
    const amounts = line.words.filter(({ text }) => money.test(text) && !day.test(text));
    const isSecond = amounts.some(({ column }) => withAmount.has(column));
    hasSecondAmount ||= isSecond;
    if (isFull(line) || isSecond || (tops.length === 0 && amounts.length > 0)) {
      tops.push(line.y0);
      withAmount.clear();
    }
    for (const { column } of amounts) withAmount.add(column);
  }
  // Two amounts one below the other are never one value.
  const hasAmounts = ofOneRow.some(
    (one) => one.lines.length > 1 && one.lines.every((line) => amount.test(textOf([line]))),
  );
  if (tops.length < (hasSecondAmount || hasAmounts ? 2 : minInnerRows)) return [-Infinity];
  // Text above the first full line belongs to the first row.
  return [-Infinity, ...tops.slice(1)];
}

/** Splits a cell that spans several columns if its text has gaps exactly between them, because a printed line is missing. */
function splitByColumn<CellWord extends Word>(filled: Filled<CellWord>, { cells }: Grid): Filled<CellWord>[] {
  const { cell, lines } = filled;
  const { column, column_span } = cell;
  if (column_span === 1) return [filled];
  const edges = new Map<number, number>();
  for (const other of cells) edges.set(other.column, other.x0);
  const starts = [...edges].filter(([at]) => at > column && at < column + column_span).sort(([a], [b]) => a - b);
  const columnOf = ({ x0, x1 }: Stretch): number => {
    const touched = new Set([x0, x1].map((x) => starts.findLast(([, start]) => x >= start)?.[0] ?? column));
    return touched.size === 1 ? [...touched][0]! : -1;
  };
  const placed = lines.flatMap((line) => runsOf(line).map((run) => ({ line, run, at: columnOf(run) })));
  const columns = [...new Set(placed.map(({ at }) => at))].sort((a, b) => a - b);
  // A title in the middle of all columns stays whole.
  if (columns.length < 2 || columns.length < column_span * minFilledColumnShare || columns[0] === -1) return [filled];
  return columns.map((at) => ({
    cell: { ...cell, column: at, column_span: 1 },
    lines: lines.flatMap(({ y0, y1 }, index) => {
      const words = placed.filter((one) => one.line === lines[index] && one.at === at).flatMap(({ run }) => run.words);
      return words.length === 0 ? [] : [{ words, y0, y1 }];
    }),
  }));
}

function linesByRow<CellWord extends Word>(
  lines: readonly Row<CellWord>[],
  tops: readonly number[],
): Row<CellWord>[][] {
  return tops.map((top, index) =>
    lines.filter(({ y0, y1 }) => {
      const middle = (y0 + y1) / 2;
      return middle >= top && middle < (tops[index + 1] ?? Infinity);
    }),
  );
}

/** Removes rows and columns in which no cell starts. */
export function compact<CellWord extends Word>(table: FoundTable<CellWord>): FoundTable<CellWord> {
  const rows = [...new Set(table.cells.map(({ row }) => row))].sort((a, b) => a - b);
  const columns = [...new Set(table.cells.map(({ column }) => column))].sort((a, b) => a - b);
  const span = (used: readonly number[], from: number, length: number): number =>
    Math.max(1, used.filter((at) => at >= from && at < from + length).length);
  const cells = table.cells
    .map((cell) => ({
      ...cell,
      row: rows.indexOf(cell.row),
      column: columns.indexOf(cell.column),
      row_span: span(rows, cell.row, cell.row_span),
      column_span: span(columns, cell.column, cell.column_span),
    }))
    .sort((a, b) => a.row - b.row || a.column - b.column);
  return { ...table, rows: rows.length, columns: columns.length, cells };
}
