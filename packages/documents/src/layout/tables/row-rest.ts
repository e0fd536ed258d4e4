import type { Word } from '../../page/page.ts';
import { median } from '../rows/median.ts';
import { haveOverlap, type LineOfRuns, type Stretch } from './runs.ts';

/** Between a row and the line that continues it, in heights of a line; and between the left edges of the two cells. */
const maxContinuedGap = 0.6;
const maxIndent = 2;
/** In heights of a line: a line is clearly closer to one of its neighbours. */
const minGapDifference = 0.1;
/** In usual heights of a line: two lines that lie half a line apart. */
const minCentredHeight = 1.35;
/** From so many columns on, a few lines across them say nothing against the others. */
export const minManyColumns = 4;

/**
 * Whether the cells of a row are centred on each other: a line with one cell alone stands below the header, or the lines of two
 * cells lie half a line apart.
 */
export function hasCentredCells(lines: readonly LineOfRuns<Word>[]): boolean {
  const [, first] = lines;
  if (first?.runs.length === 1 && !mayContinueHeader(first)) return true;
  const usual = median(lines.map(({ y0, y1 }) => y1 - y0))!;
  return lines.some(({ y0, y1, runs }) => runs.length > 1 && y1 - y0 > usual * minCentredHeight);
}

/** The first lines of cells in the middle of a row stand below its header, too: only the rest of a name or a unit continues that. */
export function mayContinueHeader({ runs }: LineOfRuns<Word>): boolean {
  return runs.length > 1 || /^[\p{Ll}([]/u.test(runs[0]!.words[0]!.text);
}

/** A line with a label, or after a sign such as ✉, is an entry of its own. */
const ownEntry = /^[^\p{L}\p{N}\p{P}]|\p{L}\s?:(?:\s|$)/u;

/** Whether a line continues the row above it, which begins with `start`: it has fewer cells, each has letters and is closely below another cell. */
export function continuesRow<RunWord extends Word>(
  lines: readonly LineOfRuns<RunWord>[],
  at: number,
  { start, above, isCentred }: { start: LineOfRuns<RunWord>; above: LineOfRuns<RunWord>; isCentred: boolean },
  columns: readonly Stretch[],
): boolean {
  const line = lines[at]!;
  if (line.runs.length >= start.runs.length || line.runs.length * 2 > columns.length) return false;
  const height = line.y1 - line.y0;
  const gap = line.y0 - above.y1;
  if (gap > height * maxContinuedGap) return false;
  // A line that is clearly closer to the next one belongs to that.
  const below = lines[at + 1];
  const difference = height * minGapDifference;
  if (below && below.y0 - line.y1 < gap - difference) return false;
  // Where the lines of a row are close to each other, a wider gap comes before the next row.
  let last = at;
  const gapAfter = () => lines[last + 1]!.y0 - lines[last]!.y1;
  while (lines[last + 1]?.runs.length === 1 && gapAfter() <= gap + difference) last += 1;
  const isCloser = last + 1 < lines.length && gapAfter() > gap + difference;
  // The first line of a centred cell stands above the others of its row, as far from the row above.
  if (isCentred && !isCloser) return false;
  return line.runs.every((run) => {
    const text = run.words.map((word) => word.text).join(' ');
    if (!(isCloser ? /\p{L}/u : /\p{L}{2}/u).test(text)) return false;
    const cellAbove = [...above.runs, ...start.runs].find((other) => haveOverlap(other, run));
    if (!cellAbove || Math.abs(cellAbove.x0 - run.x0) > height * maxIndent) return false;
    // A line with a first cell alone is the heading of the rows below, unless it continues a sentence.
    const textAbove = cellAbove.words.map((word) => word.text).join(' ');
    if ((!isCloser || columns.length < minManyColumns) && ownEntry.test(text)) return false;
    // A sum below the amounts has a name.
    if (!/\p{L}/u.test(textAbove) && /\d/.test(text)) return false;
    return isCloser || !haveOverlap(columns[0]!, run) || /^\p{Ll}/u.test(text) || /\([^)]*$/u.test(textAbove);
  });
}
