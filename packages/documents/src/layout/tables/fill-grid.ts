import { groupRows, type Row } from '../rows/rows.ts';
import type { Word } from '../../page/page.ts';
import type { Grid, GridCell } from './ruled-grid.ts';
import { runsOf, type Stretch } from './runs.ts';
import { textOf, type FilledCell, type FoundTable } from './table.ts';

/** A box with more lines than this holds text of the page, not a cell of a table. */
const MAX_LINES = 12;
const FEWEST_CELLS = 4;
/** Lines that reach over several columns, in one row of the grid: from so many on each of them is a row of the table. */
const FEWEST_INNER_ROWS = 3;
/** Rows beside a cell that spans them. */
const FEWEST_TALL = 3;
const MOST_COLUMNS = 0.6;
const amount = /^[^\p{L}]*\d[^\p{L}]*$/u;

/** A grid with its words; undefined if they do not form a table. */
export function fillGrid<CellWord extends Word>(
  grid: Grid,
  words: readonly CellWord[],
): FoundTable<CellWord> | undefined {
  const inCells = new Map<GridCell, CellWord[]>();
  for (const word of words) {
    const [x, y] = [(word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2];
    if (x < grid.x0 || x > grid.x1 || y < grid.y0 || y > grid.y1) continue;
    const cell = grid.cells.find(({ x0, y0, x1, y1 }) => x >= x0 && x < x1 && y >= y0 && y < y1);
    if (!cell) continue;
    const inCell = inCells.get(cell);
    if (inCell) inCell.push(word);
    else inCells.set(cell, [word]);
  }
  const rows = Map.groupBy(partTall(inCells, grid), ({ cell }) => cell.row);
  const cells: FilledCell<CellWord>[] = [];
  let added = 0;
  for (const row of [...rows.keys()].sort((a, b) => a - b)) {
    const filled = rows.get(row)!;
    const inner = innerRows(filled);
    for (const { cell, lines } of filled) {
      const { column, row_span, column_span } = cell;
      const parts = inner.length > 1 && row_span === 1 ? partLines(lines, inner) : [lines];
      for (const [index, part] of parts.entries()) {
        if (part.length === 0) continue;
        cells.push({ row: row + added + index, column, row_span, column_span, lines: part, captionLines: 0 });
      }
    }
    added += inner.length - 1;
  }
  const parted = cells.flatMap((cell) => partColumns(cell, grid));
  if (parted.length < FEWEST_CELLS || parted.some(({ lines }) => lines.length > MAX_LINES)) return undefined;
  const table = compact({ ...grid, kind: 'ruled' as const, cells: parted });
  return table.rows > 1 && table.columns > 1 ? table : undefined;
}

interface Filled<CellWord extends Word> {
  cell: GridCell;
  lines: Row<CellWord>[];
}

/** Lines of the cells. A cell beside several rows that has one line in each of them is a cell in each of them. */
function partTall<CellWord extends Word>(
  inCells: ReadonlyMap<GridCell, CellWord[]>,
  { cells }: Grid,
): Filled<CellWord>[] {
  const tops = new Map(cells.map(({ row, y0 }) => [row, y0]));
  return [...inCells].flatMap(([cell, words]): Filled<CellWord>[] => {
    const lines = groupRows(words);
    const { row, row_span } = cell;
    if (row_span < FEWEST_TALL || lines.length !== row_span) return [{ cell, lines }];
    const isInRow = (line: Row<CellWord>, at: number): boolean => {
      const middle = (line.y0 + line.y1) / 2;
      return middle >= tops.get(row + at)! && middle < (tops.get(row + at + 1) ?? cell.y1);
    };
    if (!lines.every((line, at) => tops.has(row + at) && isInRow(line, at))) return [{ cell, lines }];
    return lines.map((line, at) => ({ cell: { ...cell, row: row + at, row_span: 1 }, lines: [line] }));
  });
}

/**
 * Where only the columns are ruled, several rows stand in one row of the grid. The tops of those rows; one where the grid's row
 * is a row of the table.
 */
function innerRows(filled: readonly Filled<Word>[]): number[] {
  const parted = filled.filter(({ cell }) => cell.row_span === 1);
  const all = parted.flatMap(({ lines }) => lines);
  // Two amounts one below the other are never one value.
  const hasAmounts = parted.some(({ lines }) => lines.length > 1 && lines.every((line) => amount.test(textOf([line]))));
  const fewest = hasAmounts ? 2 : FEWEST_INNER_ROWS;
  if (all.length < fewest * 2) return [-Infinity];
  const lines = groupRows(
    all.map(({ y0, y1, words }) => ({ y0, y1, x0: words[0]!.x0, x1: words.at(-1)!.x1, text: '' })),
  );
  const fullest = Math.max(...lines.map(({ words }) => words.length));
  if (fullest < 2) return [-Infinity];
  const tops = lines.filter(({ words }) => words.length > 1 && words.length >= fullest * 0.6).map(({ y0 }) => y0);
  if (tops.length < fewest) return [-Infinity];
  // Text above the first full line belongs to the first row.
  return [-Infinity, ...tops.slice(1)];
}

/** A cell over several columns in which no line is missing but that between them: what stands in each column is a cell. */
function partColumns<CellWord extends Word>(cell: FilledCell<CellWord>, { cells }: Grid): FilledCell<CellWord>[] {
  const { column, column_span, lines } = cell;
  if (column_span === 1) return [cell];
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
  if (columns.length < 2 || columns.length < column_span * MOST_COLUMNS || columns[0] === -1) return [cell];
  return columns.map((at) => ({
    ...cell,
    column: at,
    column_span: 1,
    lines: lines.flatMap(({ y0, y1 }, index) => {
      const words = placed.filter((one) => one.line === lines[index] && one.at === at).flatMap(({ run }) => run.words);
      return words.length === 0 ? [] : [{ words, y0, y1 }];
    }),
  }));
}

function partLines<CellWord extends Word>(lines: readonly Row<CellWord>[], tops: readonly number[]): Row<CellWord>[][] {
  return tops.map((top, index) =>
    lines.filter(({ y0, y1 }) => {
      const middle = (y0 + y1) / 2;
      return middle >= top && middle < (tops[index + 1] ?? Infinity);
    }),
  );
}

/** Leaves out rows and columns in which no cell with text begins. */
export function compact<CellWord extends Word>(table: FoundTable<CellWord>): FoundTable<CellWord> {
  const rows = [...new Set(table.cells.map(({ row }) => row))].sort((a, b) => a - b);
  const columns = [...new Set(table.cells.map(({ column }) => column))].sort((a, b) => a - b);
  const span = (kept: readonly number[], from: number, length: number): number =>
    Math.max(1, kept.filter((at) => at >= from && at < from + length).length);
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
