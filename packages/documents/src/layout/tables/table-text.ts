import type { Word } from '../../page/page.ts';
import type { TextGrid } from '../rows/reading-rows.ts';
import type { Row } from '../rows/rows.ts';
import { partsOf, textOf, type FilledCell, type FoundTable } from './table.ts';

/** A longer cell retains its line breaks. */
const maxCellLength = 120;
/** Spaces between two columns. */
const columnGap = 2;

/** The text of a table: a line for each row, with aligned columns. The text of a form: a line for each box. */
export function tableText(table: FoundTable, grid: TextGrid): string {
  return table.kind === 'form' ? formText(table) : rowsText(table, grid);
}

function formText({ cells }: FoundTable): string {
  return cells
    .flatMap((cell) => {
      const { caption, value } = partsOf(cell);
      const lines = value.map((line) => textOf([line]));
      if (caption.length === 0) return lines;
      const [first = '', ...rest] = lines;
      const name = textOf(caption).replace(/\s*:$/, '');
      return [`${name}: ${first}`.trimEnd(), ...rest.map((line) => `    ${line}`)];
    })
    .join('\n');
}

interface Column {
  start: number;
  width: number;
  side: 'left' | 'right' | 'middle';
}

function rowsText(table: FoundTable, grid: TextGrid): string {
  const byRow = Map.groupBy(table.cells, ({ row }) => row);
  const linesOfCells = new Map(table.cells.map((cell) => [cell, linesOf(cell)]));
  const columns = columnsOf(table, linesOfCells, grid);
  return [...byRow.values()]
    .flatMap((cells) => {
      const height = Math.max(...cells.map((cell) => linesOfCells.get(cell)!.length));
      return Array.from({ length: height }, (_, at) => {
        let line = '';
        for (const cell of cells) {
          const text = linesOfCells.get(cell)![at];
          if (text === undefined) continue;
          const start = startOf(cell, text, columns);
          line = line === '' ? ' '.repeat(start) : line.padEnd(Math.max(line.length + columnGap, start));
          line += text;
        }
        return line;
      });
    })
    .join('\n');
}

function linesOf({ lines }: FilledCell): string[] {
  const whole = textOf(lines);
  return whole.length <= maxCellLength ? [whole] : lines.map((line) => textOf([line]));
}

function columnsOf(
  { cells, columns }: FoundTable,
  linesOfCells: ReadonlyMap<FilledCell, readonly string[]>,
  { left, characterWidth }: TextGrid,
): Column[] {
  let end = 0;
  return Array.from({ length: columns }, (_, column): Column => {
    const inColumn = cells.filter((cell) => cell.column === column && cell.column_span === 1);
    const edges = inColumn.flatMap(({ lines }) => lines.map(edgesOf));
    const natural =
      edges.length === 0 ? end : Math.round((Math.min(...edges.map(({ x0 }) => x0)) - left) / characterWidth);
    const reach =
      edges.length === 0 ? 0 : Math.max(...edges.map(({ x1 }) => x1)) - Math.min(...edges.map(({ x0 }) => x0));
    const longest = Math.max(0, ...inColumn.flatMap((cell) => linesOfCells.get(cell)!.map(({ length }) => length)));
    const start = Math.max(0, natural, end);
    const width = Math.max(longest, Math.round(reach / characterWidth));
    end = start + width + columnGap;
    return { start, width, side: sideOf(edges) };
  });
}

function edgesOf({ words }: Row): { x0: number; x1: number } {
  return {
    x0: words.reduce((least, { x0 }) => Math.min(least, x0), Infinity),
    x1: words.reduce((most, { x1 }) => Math.max(most, x1), -Infinity),
  };
}

/** The side at which the lines of a column are aligned best. */
function sideOf(edges: readonly { x0: number; x1: number }[]): Column['side'] {
  if (edges.length < 2) return 'left';
  const spread = (of: (edge: { x0: number; x1: number }) => number): number => {
    const values = edges.map(of).sort((a, b) => a - b);
    const usual = values[values.length >> 1]!;
    return values.reduce((sum, value) => sum + Math.min(20, Math.abs(value - usual)), 0);
  };
  const [left, right, middle] = [spread(({ x0 }) => x0), spread(({ x1 }) => x1), spread(({ x0, x1 }) => (x0 + x1) / 2)];
  if (left <= right && left <= middle) return 'left';
  return right <= middle ? 'right' : 'middle';
}

function startOf({ column, column_span }: FilledCell, text: string, columns: readonly Column[]): number {
  const { start, width, side } = columns[column]!;
  if (side === 'left' || column_span > 1) return start;
  return start + (side === 'right' ? width - text.length : Math.floor((width - text.length) / 2));
}

/** The words of a table in the order in which they are read: row by row, cell by cell. */
export function wordsInOrder<CellWord extends Word>(table: FoundTable<CellWord>): CellWord[] {
  return table.cells.flatMap((cell) => {
    const { caption, value } = partsOf(cell);
    return [...caption, ...value].flatMap(({ words }) => words);
  });
}
