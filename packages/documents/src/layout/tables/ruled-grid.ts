import type { Box } from '../../page/box.ts';
import { joinRules, type GridLine, type Rule } from './rule.ts';

/** A field of a grid that can reach over several rows and columns. */
export interface GridCell extends Box {
  row: number;
  column: number;
  row_span: number;
  column_span: number;
}

/** A grid of printed lines. */
export interface Grid extends Box {
  rows: number;
  columns: number;
  cells: GridCell[];
}

/** Share of a field's side that printed lines must cover. */
const minCoveredShare = 0.7;
/** A grid with more fields is graph paper. */
const maxFields = 10_000;

/** Grids of printed lines, the smallest first. `tolerance` is the largest distance between lines that meet. */
export function ruledGrids(rules: readonly Rule[], tolerance: number): Grid[] {
  const { level, upright } = joinRules(rules, tolerance);
  return connected(level, upright, tolerance)
    .flatMap((lines) => gridOf(lines, tolerance) ?? [])
    .sort((a, b) => areaOf(a) - areaOf(b));
}

interface Lines {
  level: GridLine[];
  upright: GridLine[];
}

/** Groups of lines that are connected, directly or through others. */
function connected(level: readonly GridLine[], upright: readonly GridLine[], tolerance: number): Lines[] {
  const sets = createDisjointSets(level.length + upright.length);
  for (const [row, { at: y, from: x0, to: x1 }] of level.entries()) {
    for (const [column, { at: x, from: y0, to: y1 }] of upright.entries()) {
      if (x < x0 - tolerance || x > x1 + tolerance || y < y0 - tolerance || y > y1 + tolerance) continue;
      sets.join(row, level.length + column);
    }
  }
  const groups = new Map<number, Lines>();
  const groupOf = (index: number): Lines => {
    const root = sets.rootOf(index);
    const group = groups.get(root) ?? { level: [], upright: [] };
    groups.set(root, group);
    return group;
  };
  for (const [index, line] of level.entries()) groupOf(index).level.push(line);
  for (const [index, line] of upright.entries()) groupOf(level.length + index).upright.push(line);
  return [...groups.values()].filter((lines) => lines.level.length > 0 && lines.upright.length > 0);
}

function gridOf({ level, upright }: Lines, tolerance: number): Grid | undefined {
  // Where level lines reach beyond the outermost upright ones, the outer columns are open at their sides.
  const xs = places([...upright.map(({ at }) => at), ...ends(level)], tolerance);
  const ys = places([...level.map(({ at }) => at), ...ends(upright)], tolerance);
  const [columns, rows] = [xs.length - 1, ys.length - 1];
  if (columns < 1 || rows < 1 || rows * columns < 2 || rows * columns > maxFields) return undefined;
  const hasUpright = (x: number, y0: number, y1: number): boolean => covers(upright, x, y0, y1, tolerance);
  const hasLevel = (y: number, x0: number, x1: number): boolean => covers(level, y, x0, x1, tolerance);
  const sets = createDisjointSets(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const at = row * columns + column;
      const [x0, x1, y0, y1] = [xs[column]!, xs[column + 1]!, ys[row]!, ys[row + 1]!];
      if (column + 1 < columns && !hasUpright(x1, y0, y1)) sets.join(at, at + 1);
      if (row + 1 < rows && !hasLevel(y1, x0, x1)) sets.join(at, at + columns);
    }
  }
  const fields = Map.groupBy(Array.from({ length: rows * columns }).keys(), sets.rootOf);
  const cells = [...fields.values()].flatMap((field): GridCell[] => {
    const whole = spanOf(field, columns);
    const isRectangle = (whole.row1 - whole.row0 + 1) * (whole.column1 - whole.column0 + 1) === field.length;
    return (isRectangle ? [whole] : field.map((at) => spanOf([at], columns))).map(
      ({ row0, row1, column0, column1 }) => ({
        row: row0,
        column: column0,
        row_span: row1 - row0 + 1,
        column_span: column1 - column0 + 1,
        x0: xs[column0]!,
        y0: ys[row0]!,
        x1: xs[column1 + 1]!,
        y1: ys[row1 + 1]!,
      }),
    );
  });
  if (cells.length < 2) return undefined;
  return { x0: xs[0]!, y0: ys[0]!, x1: xs[columns]!, y1: ys[rows]!, rows, columns, cells };
}

/** Sets of indexes that can be joined (union-find). */
function createDisjointSets(count: number): {
  rootOf: (index: number) => number;
  join: (one: number, other: number) => void;
} {
  const parents = Array.from({ length: count }, (_, index) => index);
  const rootOf = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!;
    return root;
  };
  return {
    rootOf,
    join: (one, other) => {
      parents[rootOf(one)] = rootOf(other);
    },
  };
}

function spanOf(field: readonly number[], columns: number): Record<'row0' | 'row1' | 'column0' | 'column1', number> {
  const span = { row0: Infinity, row1: -1, column0: Infinity, column1: -1 };
  for (const at of field) {
    const [row, column] = [Math.floor(at / columns), at % columns];
    span.row0 = Math.min(span.row0, row);
    span.row1 = Math.max(span.row1, row);
    span.column0 = Math.min(span.column0, column);
    span.column1 = Math.max(span.column1, column);
  }
  return span;
}

function ends(lines: readonly GridLine[]): number[] {
  return [
    lines.reduce((least, { from }) => Math.min(least, from), Infinity),
    lines.reduce((most, { to }) => Math.max(most, to), -Infinity),
  ];
}

/** Distinct places, in order. */
function places(values: readonly number[], tolerance: number): number[] {
  const found: number[] = [];
  for (const value of values.toSorted((a, b) => a - b)) {
    if (found.length === 0 || value - found.at(-1)! > tolerance) found.push(value);
  }
  return found;
}

/** Whether lines at a place cover most of the way between two points. */
function covers(lines: readonly GridLine[], at: number, from: number, to: number, tolerance: number): boolean {
  let covered = 0;
  for (const line of lines) {
    if (Math.abs(line.at - at) > tolerance) continue;
    covered += Math.max(0, Math.min(line.to, to) - Math.max(line.from, from));
  }
  return covered >= (to - from) * minCoveredShare;
}

function areaOf({ x0, y0, x1, y1 }: Box): number {
  return (x1 - x0) * (y1 - y0);
}
