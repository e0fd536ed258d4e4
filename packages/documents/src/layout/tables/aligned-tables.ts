import { isProse } from '../rows/find-gutter.ts';
import { boundsOf, type Row } from '../rows/rows.ts';
import type { Word } from '../../page/page.ts';
import { compact } from './fill-grid.ts';
import { runsOf, type Stretch, type Run } from './runs.ts';
import type { FilledCell, FoundTable } from './table.ts';

/** In heights of a row: a wider gap between rows ends a table. */
const ROW_GAP = 1.6;
/** In heights of a row: how far the edge of a cell can be off its column's. */
const OFF = 0.5;
const ALIGNED = 0.6;
/** Share of the cells that share their column with no other in their row. */
const SEPARATE = 0.85;
/** Share of the lines that have a cell in every column, where columns reach over each other. */
const MOST_LINES = 0.6;
/** Share of the cells of the fullest line with which a line tells columns, and the share of such lines. */
const [MOST_CELLS, FULL_LINES] = [0.7, 0.3];
const MAX_TRIES = 8;
/** Rows with fewer cells between two full ones. */
const MAX_BETWEEN = 3;

interface Line<RunWord extends Word> extends Row<RunWord> {
  runs: Run<RunWord>[];
}

interface Placed<RunWord extends Word> {
  line: Line<RunWord>;
  /** For each run its first and last column. */
  places: { run: Run<RunWord>; first: number; last: number }[];
}

/** Tables without printed lines: rows whose words share columns. */
export function alignedTables<RunWord extends Word>(rows: readonly Row<RunWord>[]): FoundTable<RunWord>[] {
  const lines = rows.map((row) => ({ ...row, runs: runsOf(row) }));
  const tables: FoundTable<RunWord>[] = [];
  let failed = 0;
  for (let start = 0; start < lines.length;) {
    if (lines[start]!.runs.length < 2) {
      start += 1;
      continue;
    }
    const end = tableEnd(lines, start);
    const table = tableOf(lines.slice(start, end));
    if (table) tables.push(table);
    // The first lines may be a heading, but each try looks at all lines.
    failed = table ? 0 : failed + 1;
    start = table || failed > MAX_TRIES ? end : start + 1;
    if (failed > MAX_TRIES) failed = 0;
  }
  return tables;
}

/** The line after the last one that shares the columns of the lines from `start` on. */
function tableEnd<RunWord extends Word>(lines: readonly Line<RunWord>[], start: number): number {
  let columns: Stretch[] = lines[start]!.runs.map(({ x0, x1 }) => ({ x0, x1 }));
  let end = start + 1;
  for (let at = start + 1; at < lines.length && at - end <= MAX_BETWEEN; at += 1) {
    const [line, before] = [lines[at]!, lines[at - 1]!];
    if (line.y0 - before.y1 > Math.max(line.y1 - line.y0, before.y1 - before.y0) * ROW_GAP) break;
    if (line.runs.length === 1) {
      const { x0, x1 } = line.runs[0]!;
      if (columns.filter((column) => overlaps(column, { x0, x1 })).length > 1) break;
      continue;
    }
    const next = withRuns(columns, line.runs);
    if (next.length < 2 || next.length < columns.length - 1) break;
    columns = next;
    end = at + 1;
  }
  // The rest of the last row's cells.
  const last = lines[end - 1]!;
  const rest = lines[end];
  if (rest?.runs.length === 1 && columns.length > 2 && continues(last, rest, columns)) end += 1;
  return end;
}

/** Adds the runs of one more line: overlapping runs form one column. */
function withRuns(columns: readonly Stretch[], runs: readonly Stretch[]): Stretch[] {
  const all = [...columns, ...runs].sort((a, b) => a.x0 - b.x0);
  const joined: Stretch[] = [];
  for (const { x0, x1 } of all) {
    const last = joined.at(-1);
    if (last && x0 <= last.x1) last.x1 = Math.max(last.x1, x1);
    else joined.push({ x0, x1 });
  }
  return joined;
}

function tableOf<RunWord extends Word>(lines: readonly Line<RunWord>[]): FoundTable<RunWord> | undefined {
  const full = lines.filter(({ runs }) => runs.length > 1);
  if (full.length < 2) return undefined;
  const columns = columnsOf(full);
  if (columns.length < 2 || (columns.length === 2 && full.length < 3)) return undefined;
  const placed = lines.map((line) => place(line, columns));
  const runs = lines.reduce((sum, line) => sum + line.runs.length, 0);
  const separate = placed.reduce((sum, { places }) => sum + places.length, 0);
  if (separate < runs * SEPARATE || !isAligned(placed, columns)) return undefined;
  // Lines are joined to rows only if every cell has a certain column.
  const isSure =
    columns.length > 2 &&
    separate === runs &&
    placed.every(({ places }, index) => index === 0 || places.every(({ first, last }) => first === last));
  const inColumns = columns.map((_, index) =>
    placed.flatMap(({ places }) => places.flatMap(({ run, first }) => (first === index ? run.words : []))),
  );
  if (inColumns.filter((inColumn) => isProse(inColumn)).length > 1) return undefined;
  const cells: FilledCell<RunWord>[] = [];
  let row = -1;
  let previous: Line<RunWord> | undefined;
  for (const [index, { line, places }] of placed.entries()) {
    const isRest = isSure && previous !== undefined && continues(previous, line, columns, placed[index + 1]?.line);
    if (!isRest) row += 1;
    for (const { run, first, last } of places) {
      const part: Row<RunWord> = { words: run.words, y0: line.y0, y1: line.y1 };
      const above = isRest ? cells.find((cell) => cell.row === row && cell.column === first) : undefined;
      if (above) above.lines.push(part);
      else
        cells.push({ row, column: first, row_span: 1, column_span: last - first + 1, lines: [part], captionLines: 0 });
    }
    previous = line;
  }
  return compact({ ...boundsOf(lines), kind: 'aligned', rows: row + 1, columns: columns.length, cells });
}

/** The columns of lines: overlapping runs form one. A header or a total over several columns does not join them. */
function columnsOf<RunWord extends Word>(lines: readonly Line<RunWord>[]): Stretch[] {
  const joined = (some: readonly Line<RunWord>[]): Stretch[] =>
    some.reduce<Stretch[]>((columns, { runs }) => withRuns(columns, runs), []);
  const most = Math.max(...lines.map(({ runs }) => runs.length));
  const all = joined(lines);
  if (lines.length < 3 || all.length >= most) return all;
  // One long cell of one row does not join columns either.
  const fullest = lines.filter(({ runs }) => runs.length === most);
  if (fullest.length >= lines.length * MOST_LINES) {
    return fullest[0]!.runs.map((_, index) => ({
      x0: Math.min(...fullest.map(({ runs }) => runs[index]!.x0)),
      x1: Math.max(...fullest.map(({ runs }) => runs[index]!.x1)),
    }));
  }
  const full = lines.filter(({ runs }) => runs.length >= most * MOST_CELLS);
  const columns = joined(full);
  return full.length >= lines.length * FULL_LINES && columns.length > all.length ? columns : all;
}

function place<RunWord extends Word>(line: Line<RunWord>, columns: readonly Stretch[]): Placed<RunWord> {
  const isInOrder = line.runs.every((run, index) => columns[index] && overlaps(columns[index], run));
  if (line.runs.length === columns.length && isInOrder) {
    return { line, places: line.runs.map((run, index) => ({ run, first: index, last: index })) };
  }
  const places: Placed<RunWord>['places'] = [];
  for (const run of line.runs) {
    const touched = columns.flatMap((column, index) => (covers(run, column) ? [index] : []));
    const first = touched[0] ?? nearest(columns, run);
    const before = places.at(-1);
    // Two runs in one column are one cell.
    if (before && before.last >= first) {
      before.run = { x0: before.run.x0, x1: run.x1, words: [...before.run.words, ...run.words] };
      before.last = Math.max(before.last, touched.at(-1) ?? first);
    } else places.push({ run, first, last: touched.at(-1) ?? first });
  }
  return { line, places };
}

/** Whether a run is in a column, or covers a significant part of it. */
function covers(run: Stretch, column: Stretch): boolean {
  const shared = Math.min(run.x1, column.x1) - Math.max(run.x0, column.x0);
  return shared > Math.min(run.x1 - run.x0, column.x1 - column.x0) * 0.3;
}

function nearest(columns: readonly Stretch[], { x0, x1 }: Stretch): number {
  const middle = (x0 + x1) / 2;
  const distance = (column: Stretch): number => Math.abs((column.x0 + column.x1) / 2 - middle);
  return columns.reduce((best, column, index) => (distance(column) < distance(columns[best]!) ? index : best), 0);
}

function overlaps(a: Stretch, b: Stretch): boolean {
  return Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) > 0;
}

/** Whether the cells of at least two columns have an edge or their middle in common. */
function isAligned<RunWord extends Word>(placed: readonly Placed<RunWord>[], columns: readonly Stretch[]): boolean {
  let aligned = 0;
  for (const index of columns.keys()) {
    const inColumn = placed.flatMap(({ line, places }) =>
      places.flatMap(({ run, first, last }) =>
        first === index && last === index ? [{ ...edges(run), off: (line.y1 - line.y0) * OFF }] : [],
      ),
    );
    if (inColumn.length < 2) continue;
    const isCommon = (key: 'left' | 'right' | 'middle'): boolean => {
      const sorted = inColumn.map((edge) => edge[key]).sort((a, b) => a - b);
      const usual = sorted[Math.floor(sorted.length / 2)]!;
      return inColumn.filter((edge) => Math.abs(edge[key] - usual) <= edge.off).length >= inColumn.length * ALIGNED;
    };
    if (isCommon('left') || isCommon('right') || isCommon('middle')) aligned += 1;
  }
  return aligned >= Math.min(columns.length, 2) && aligned >= columns.length * ALIGNED;
}

function edges({ x0, x1 }: Stretch): { left: number; right: number; middle: number } {
  return { left: x0, right: x1, middle: (x0 + x1) / 2 };
}

/** Whether a line is the rest of the row above it: fewer cells, all of words, each below a cell, close to it. */
function continues<RunWord extends Word>(
  above: Line<RunWord>,
  line: Line<RunWord>,
  columns: readonly Stretch[],
  below?: Line<RunWord>,
): boolean {
  if (line.runs.length >= above.runs.length || line.runs.length * 2 > columns.length) return false;
  const gap = line.y0 - above.y1;
  if (gap > (line.y1 - line.y0) * 0.6) return false;
  if (below && below.y0 - line.y1 < gap - (line.y1 - line.y0) * 0.1) return false;
  return line.runs.every((run) => {
    const text = run.words.map((word) => word.text).join(' ');
    if (!/\p{L}{2}/u.test(text)) return false;
    const over = above.runs.find((other) => overlaps(other, run));
    if (!over || Math.abs(over.x0 - run.x0) > (line.y1 - line.y0) * 2) return false;
    // A line with only a first cell is the heading of rows, unless it continues a sentence.
    const head = over.words.map((word) => word.text).join(' ');
    return !overlaps(columns[0]!, run) || /^\p{Ll}/u.test(text) || /\([^)]*$/u.test(head);
  });
}
