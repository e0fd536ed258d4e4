import type { Word } from '../../page/page.ts';
import { isProse } from '../rows/find-gutter.ts';
import { median } from '../rows/median.ts';
import { boundsOf, type Row } from '../rows/rows.ts';
import { compact } from './fill-grid.ts';
import { splitAtStrips, wordSpaceOf } from './narrow-columns.ts';
import { continuesRow, hasCentredCells, mayContinueHeader, minManyColumns } from './row-rest.ts';
import { haveOverlap, runsOf, type LineOfRuns, type Stretch, type WordRun } from './runs.ts';
import type { FilledCell, FoundTable } from './table.ts';

/** In heights of a row: a wider gap between rows ends a table. */
const maxRowGap = 1.6;
/** Between the edge of a cell and that of its column, in heights of a row. */
const maxEdgeOffset = 0.5;
/** Share of the cells of a column that are aligned, and of the columns with aligned cells. */
const minAlignedShare = 0.6;
/** Share of the cells that are alone in their column and row. */
const minSeparateShare = 0.85;
/** Share of the lines that have a cell in every column, where columns overlap. */
const minFullestLineShare = 0.6;
/** A line with this share of the fullest line's cells is full. */
const minFullLineCells = 0.7;
/** Share of full lines from which on they determine the columns. */
const minFullLineShare = 0.3;
/** Share of a run or a column, whichever is narrower, that both have in common if the run is in the column. */
const minCoveredShare = 0.3;
/** Number of lines in turn at which no table starts, before the search continues after them. */
const maxTries = 8;
/** Number of lines with one cell between two lines with more. */
const maxRowsBetween = 5;

interface Placed<RunWord extends Word> {
  line: LineOfRuns<RunWord>;
  /** The first and last column of each run. */
  places: { run: WordRun<RunWord>; first: number; last: number }[];
}

/** Finds tables without printed lines: rows whose words share columns. */
export function alignedTables<RunWord extends Word>(rows: readonly Row<RunWord>[]): FoundTable<RunWord>[] {
  const lines = rows.map((row) => ({ ...row, runs: runsOf(row) }));
  const wordSpace = wordSpaceOf(lines);
  const tables: FoundTable<RunWord>[] = [];
  let failed = 0;
  for (let start = 0; start < lines.length;) {
    if (lines[start]!.runs.length < 2) {
      start += 1;
      continue;
    }
    const end = tableEnd(lines, start);
    const table = tableOf(splitAtStrips(lines.slice(start, end), wordSpace));
    if (table) tables.push(table);
    // The first lines can be a heading, but each try takes time for all lines.
    failed = table ? 0 : failed + 1;
    start = table || failed > maxTries ? end : start + 1;
    if (failed > maxTries) failed = 0;
  }
  return tables;
}

/** The line after the last one that shares the columns of the lines from `start` on. */
function tableEnd<RunWord extends Word>(lines: readonly LineOfRuns<RunWord>[], start: number): number {
  let columns: Stretch[] = lines[start]!.runs.map(({ x0, x1 }) => ({ x0, x1 }));
  let end = start + 1;
  for (let at = start + 1; at < lines.length && at - end <= maxRowsBetween; at += 1) {
    const [line, before] = [lines[at]!, lines[at - 1]!];
    if (line.y0 - before.y1 > Math.max(line.y1 - line.y0, before.y1 - before.y0) * maxRowGap) break;
    if (line.runs.length === 1) {
      const { x0, x1 } = line.runs[0]!;
      if (columns.filter((column) => haveOverlap(column, { x0, x1 })).length > 1) break;
      continue;
    }
    const next = withRuns(columns, line.runs);
    if (next.length < 2 || next.length < columns.length - 1) break;
    columns = next;
    end = at + 1;
  }
  // The last row can continue on the next line.
  const last = lines[end - 1]!;
  const rest = lines[end];
  if (
    rest?.runs.length === 1 &&
    columns.length > 2 &&
    continuesRow([rest], 0, { start: last, above: last, isCentred: false }, columns)
  )
    end += 1;
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

function tableOf<RunWord extends Word>(lines: readonly LineOfRuns<RunWord>[]): FoundTable<RunWord> | undefined {
  const full = lines.filter(({ runs }) => runs.length > 1);
  if (full.length < 2) return undefined;
  const columns = columnsOf(full);
  if (columns.length < 2 || (columns.length === 2 && full.length < 3)) return undefined;
  const placed = lines.map((line) => placeRuns(line, columns));
  const runCount = lines.reduce((sum, line) => sum + line.runs.length, 0);
  const cellCount = placed.reduce((sum, { places }) => sum + places.length, 0);
  if (cellCount < runCount * minSeparateShare || !isAligned(placed, columns)) return undefined;
  // Lines are joined to rows only if the columns of their cells are certain.
  const isCertain = ({ line, places }: Placed<RunWord>): boolean =>
    places.length === line.runs.length && places.every(({ first, last }) => first === last);
  const mayJoin = hasCertainColumns(placed, columns, isCertain);
  const inColumns = columns.map((_, index) =>
    placed.flatMap(({ places }) => places.flatMap(({ run, first }) => (first === index ? run.words : []))),
  );
  if (inColumns.filter((inColumn) => isProse(inColumn)).length > 1) return undefined;
  const isCentred = hasCentredCells(lines);
  const cells: FilledCell<RunWord>[] = [];
  let row = -1;
  let previous: Placed<RunWord> | undefined;
  /** The first line of the row. */
  let rowStart: Placed<RunWord> | undefined;
  for (const [index, each] of placed.entries()) {
    const { line, places } = each;
    const isRest =
      mayJoin &&
      previous !== undefined &&
      rowStart !== undefined &&
      isCertain(rowStart) &&
      isCertain(each) &&
      (row > 0 || mayContinueHeader(line)) &&
      continuesRow(lines, index, { start: rowStart.line, above: previous.line, isCentred }, columns);
    if (!isRest) {
      row += 1;
      rowStart = each;
    }
    for (const { run, first, last } of places) {
      const part: Row<RunWord> = { words: run.words, y0: line.y0, y1: line.y1 };
      const above = isRest ? cells.find((cell) => cell.row === row && cell.column === first) : undefined;
      if (above) above.lines.push(part);
      else
        cells.push({ row, column: first, row_span: 1, column_span: last - first + 1, lines: [part], captionLines: 0 });
    }
    previous = each;
  }
  return compact({ ...boundsOf(lines), kind: 'aligned', rows: row + 1, columns: columns.length, cells });
}

/** Overlapping runs form one column. A header or a total that spans several columns does not join them. */
function columnsOf<RunWord extends Word>(lines: readonly LineOfRuns<RunWord>[]): Stretch[] {
  const joinedRuns = (some: readonly LineOfRuns<RunWord>[]): Stretch[] =>
    some.reduce<Stretch[]>((columns, { runs }) => withRuns(columns, runs), []);
  const maxRuns = Math.max(...lines.map(({ runs }) => runs.length));
  const all = joinedRuns(lines);
  if (lines.length < 3 || all.length >= maxRuns) return all;
  // A single long cell does not join columns either.
  const fullest = lines.filter(({ runs }) => runs.length === maxRuns);
  if (fullest.length >= lines.length * minFullestLineShare) {
    return fullest[0]!.runs.map((_, index) => ({
      x0: Math.min(...fullest.map(({ runs }) => runs[index]!.x0)),
      x1: Math.max(...fullest.map(({ runs }) => runs[index]!.x1)),
    }));
  }
  const full = lines.filter(({ runs }) => runs.length >= maxRuns * minFullLineCells);
  const columns = joinedRuns(full);
  return full.length >= lines.length * minFullLineShare && columns.length > all.length ? columns : all;
}

function placeRuns<RunWord extends Word>(line: LineOfRuns<RunWord>, columns: readonly Stretch[]): Placed<RunWord> {
  const isInOrder = line.runs.every((run, index) => columns[index] && haveOverlap(columns[index], run));
  if (line.runs.length === columns.length && isInOrder) {
    return { line, places: line.runs.map((run, index) => ({ run, first: index, last: index })) };
  }
  const places: Placed<RunWord>['places'] = [];
  for (const run of line.runs) {
    const touched = columns.flatMap((column, index) => (covers(run, column) ? [index] : []));
    const first = touched[0] ?? nearestColumn(columns, run);
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
  return shared > Math.min(run.x1 - run.x0, column.x1 - column.x0) * minCoveredShare;
}

function nearestColumn(columns: readonly Stretch[], { x0, x1 }: Stretch): number {
  const middle = (x0 + x1) / 2;
  const distance = (column: Stretch): number => Math.abs((column.x0 + column.x1) / 2 - middle);
  return columns.reduce((best, column, index) => (distance(column) < distance(columns[best]!) ? index : best), 0);
}

/** Whether the cells of most columns, and of at least two, share their left edge, right edge or middle. */
function isAligned<RunWord extends Word>(placed: readonly Placed<RunWord>[], columns: readonly Stretch[]): boolean {
  let aligned = 0;
  for (const index of columns.keys()) {
    const inColumn = placed.flatMap(({ line, places }) =>
      places.flatMap(({ run, first, last }) =>
        first === index && last === index ? [{ ...edgesOf(run), maxOffset: (line.y1 - line.y0) * maxEdgeOffset }] : [],
      ),
    );
    if (inColumn.length < 2) continue;
    const isCommon = (key: 'left' | 'right' | 'middle'): boolean => {
      const usual = median(inColumn.map((edge) => edge[key]))!;
      return (
        inColumn.filter((edge) => Math.abs(edge[key] - usual) <= edge.maxOffset).length >=
        inColumn.length * minAlignedShare
      );
    };
    if (isCommon('left') || isCommon('right') || isCommon('middle')) aligned += 1;
  }
  return aligned >= Math.min(columns.length, 2) && aligned >= columns.length * minAlignedShare;
}

function edgesOf({ x0, x1 }: Stretch): { left: number; right: number; middle: number } {
  return { left: x0, right: x1, middle: (x0 + x1) / 2 };
}

/** Whether each run is in a column of its own; where there are many columns, headings and totals can lie across them. */
function hasCertainColumns<RunWord extends Word>(
  placed: readonly Placed<RunWord>[],
  columns: readonly Stretch[],
  isCertain: (line: Placed<RunWord>) => boolean,
): boolean {
  if (columns.length < 3) return false;
  const fullest = Math.max(...placed.map(({ line }) => line.runs.length));
  return placed.every((each, index) => {
    const { line, places } = each;
    if (isCertain(each) || (index === 0 && places.length === line.runs.length)) return true;
    return columns.length >= minManyColumns && line.runs.length < fullest * minFullLineCells;
  });
}
