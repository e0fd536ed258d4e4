import type { LineCell, PageLine } from './page-lines.ts';

/** One column of a table. */
interface Column {
  /** The edges of its first cell. */
  left: number;
  right: number;
  /** The outermost edges of its cells. */
  x0: number;
  x1: number;
  /** Number of its cells. */
  cells: number;
}

/** A line with the column of each of its cells. */
export interface TableLine {
  line: PageLine;
  /** Index of each cell's column. */
  columns: number[];
}

/** Lines with common columns. A table continues over pages and over unrelated lines between its rows. */
export interface LineGroup {
  columns: Column[];
  lines: TableLine[];
}

/** Between the edge of a cell and that of its column, in heights of a line. */
const edgeTolerance = 0.45;
/** Share of a line's cells that are in columns of the table. */
const minFittingShare = 0.6;
/** Number of tables that a line is compared with: more than a page has. */
const maxOpenGroups = 12;

/** Groups lines with common columns. Lines are added in order, page by page. */
export function createLineGrouping(): { add(line: PageLine): void; groups(): LineGroup[] } {
  const groups: LineGroup[] = [];
  /** The most recently used group is first. */
  let open: LineGroup[] = [];
  return {
    add(line) {
      if (line.cells.length === 0) return;
      let best: { group: LineGroup; line: PageLine; columns: (number | undefined)[]; score: number } | undefined;
      for (const group of open) {
        const candidate = splitMergedCells(group, line);
        const columns = columnsOf(group, candidate);
        const fitting = columns.filter((column) => column !== undefined).length;
        if (!fits(group, candidate, fitting)) continue;
        if (!best || fitting > best.score) best = { group, line: candidate, columns, score: fitting };
      }
      if (best) {
        join(best.group, withoutWords(best.line), best.columns);
        open = [best.group, ...open.filter((group) => group !== best.group)];
      } else if (line.cells.length > 1) {
        const group = startGroup(withoutWords(line));
        groups.push(group);
        open = [group, ...open].slice(0, maxOpenGroups);
      }
    },
    groups: () => groups.filter(({ lines }) => lines.length > 1),
  };
}

function fits({ columns }: LineGroup, { cells }: PageLine, fitting: number): boolean {
  // A single cell belongs to a table only if it continues the cell above it.
  if (cells.length === 1) return fitting === 1 && columns.length > 2;
  if (fitting < 2 || fitting < cells.length * minFittingShare) return false;
  return fitting >= 3 || cells.length < 4 || columns.length < 4;
}

/** Splits merged cells: a word within a cell that is exactly at the next column starts a new cell. */
function splitMergedCells({ columns }: LineGroup, line: PageLine): PageLine {
  // A word is split off only at a closer match.
  const tolerance = (line.y1 - line.y0) * edgeTolerance * 0.5;
  let isSplit = false;
  const cells = line.cells.flatMap((cell, index): LineCell[] => {
    const { words } = cell;
    if (!words || words.length < 2) return [cell];
    const [first] = words;
    const own = columns.findIndex(({ x0, x1 }) => first!.x0 >= x0 - tolerance && first!.x0 <= x1 + tolerance);
    const next = line.cells[index + 1];
    const from = words.findIndex((word, position) => {
      if (position === 0) return false;
      return columns.some(({ left, right, x0, cells: known }, column) => {
        if (column === own || known < 3 || word.x0 < x0 - tolerance) return false;
        if (next && next.x0 <= right + tolerance) return false;
        return Math.abs(word.x0 - left) <= tolerance || Math.abs(words.at(-1)!.x1 - right) <= tolerance;
      });
    });
    if (from === -1) return [cell];
    isSplit = true;
    return [cellOf(words.slice(0, from)), cellOf(words.slice(from))];
  });
  return isSplit ? { ...line, cells } : line;
}

function cellOf(words: NonNullable<LineCell['words']>): LineCell {
  return { x0: words[0]!.x0, x1: words.at(-1)!.x1, text: words.map(({ text }) => text).join(' '), words };
}

function withoutWords(line: PageLine): PageLine {
  return { ...line, cells: line.cells.map(({ x0, x1, text }) => ({ x0, x1, text })) };
}

/** The column of each cell. A column has one cell of a line, and a cell that spans several columns is in none. */
function columnsOf({ columns }: LineGroup, { cells, y0, y1 }: PageLine): (number | undefined)[] {
  const tolerance = (y1 - y0) * edgeTolerance;
  const taken = new Set<number>();
  return cells.map(({ x0, x1 }) => {
    const found = columns.findIndex((column, index) => {
      if (taken.has(index) || x1 < column.x0 - tolerance || x0 > column.x1 + tolerance) return false;
      const isAligned =
        Math.abs(x0 - column.left) <= tolerance ||
        Math.abs(x1 - column.right) <= tolerance ||
        Math.abs(x0 + x1 - column.left - column.right) <= tolerance ||
        (column.cells > 3 && x0 >= column.x0 - tolerance && x1 <= column.x1 + tolerance);
      return isAligned;
    });
    if (found === -1) return undefined;
    taken.add(found);
    return found;
  });
}

function startGroup(line: PageLine): LineGroup {
  const columns = line.cells.map(({ x0, x1 }) => ({ left: x0, right: x1, x0, x1, cells: 1 }));
  return { columns, lines: [{ line, columns: columns.map((_, index) => index) }] };
}

function join(group: LineGroup, line: PageLine, columns: readonly (number | undefined)[]): void {
  const placed = line.cells.map(({ x0, x1 }, index) => {
    const known = columns[index];
    if (known === undefined) {
      group.columns.push({ left: x0, right: x1, x0, x1, cells: 1 });
      return group.columns.length - 1;
    }
    const column = group.columns[known]!;
    column.cells += 1;
    // A cell widens its column only if it does not overlap its neighbours: header words can be wider than all cells below.
    const previous = line.cells[index - 1];
    const next = line.cells[index + 1];
    if (!previous || previous.x1 < x0) column.x0 = Math.min(column.x0, x0);
    if (!next || next.x0 > x1) column.x1 = Math.max(column.x1, x1);
    return known;
  });
  group.lines.push({ line, columns: placed });
}
