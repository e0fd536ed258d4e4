import type { Box } from '../../page/box.ts';

/** A printed line, which printers call a rule: level if it is wider than high, otherwise upright. */
export type Rule = Box;

/** A line of a grid. `at` is its height on the page if it is level, `from` and `to` are its ends. */
export interface GridLine {
  at: number;
  from: number;
  to: number;
}

/** A page with more rules shows a drawing. */
const maxRules = 6000;

/** The level and upright lines of a page. Pieces that follow each other or overlap are joined. */
export function joinRules(rules: readonly Rule[], tolerance: number): { level: GridLine[]; upright: GridLine[] } {
  if (rules.length > maxRules) return { level: [], upright: [] };
  const level: GridLine[] = [];
  const upright: GridLine[] = [];
  for (const { x0, y0, x1, y1 } of rules) {
    // A dot at the crossing of two lines belongs to both.
    const isDot = Math.max(x1 - x0, y1 - y0) <= tolerance;
    if (isDot || x1 - x0 >= y1 - y0) level.push({ at: (y0 + y1) / 2, from: x0, to: x1 });
    if (isDot || x1 - x0 < y1 - y0) upright.push({ at: (x0 + x1) / 2, from: y0, to: y1 });
  }
  return { level: joinLines(level, tolerance), upright: joinLines(upright, tolerance) };
}

function joinLines(lines: readonly GridLine[], tolerance: number): GridLine[] {
  const sorted = lines.toSorted((a, b) => a.at - b.at);
  const joined: GridLine[] = [];
  for (let start = 0; start < sorted.length;) {
    let end = start + 1;
    while (end < sorted.length && sorted[end]!.at - sorted[end - 1]!.at <= tolerance / 2) end += 1;
    const same = sorted.slice(start, end).sort((a, b) => a.from - b.from);
    const at = same.reduce((sum, line) => sum + line.at, 0) / same.length;
    let last: GridLine | undefined;
    for (const { from, to } of same) {
      if (last && from <= last.to + tolerance) last.to = Math.max(last.to, to);
      else joined.push((last = { at, from, to }));
    }
    start = end;
  }
  return joined.filter(({ from, to }) => to - from > tolerance);
}
