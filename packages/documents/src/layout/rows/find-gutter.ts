import type { Word } from '../../page/page.ts';
import type { Box } from '../../page/box.ts';
import { boundsOf, type Row, groupRows } from './rows.ts';

/** An empty strip between two columns. */
interface Gutter {
  x: number;
  y0: number;
  y1: number;
}

interface Strip extends Gutter {
  bins: number;
}

/** Points: resolution of the search. */
const BIN = 1;
/** In heights of a row. */
const NARROWEST = 0.5;
const SHORTEST = 5;
/** Number of strips to try, the tallest first. */
const MAX_TRIED = 12;

/** The tallest empty strip that has prose on both sides. */
export function findGutter(words: readonly Word[], rows: readonly Row[]): Gutter | undefined {
  const heights = words.map((word) => word.y1 - word.y0).sort((a, b) => a - b);
  const height = heights[Math.floor(heights.length / 2)]!;
  const sorted = rows.flatMap((row) => row.words);
  return emptyStrips(sorted, boundsOf(rows), height)
    .filter((strip) => strip.bins * BIN >= height * NARROWEST)
    .sort((a, b) => b.y1 - b.y0 - (a.y1 - a.y0) || b.bins - a.bins)
    .slice(0, MAX_TRIED)
    .find((strip) => hasProseOnBothSides(words, strip));
}

/** Strips that no word crosses, from top to bottom of a gap between words. Words come from top to bottom. */
function emptyStrips(words: readonly Word[], bounds: Box, height: number): Strip[] {
  const { x0: left, x1: right, y0: top, y1: bottom } = bounds;
  const bins = Math.ceil((right - left) / BIN);
  const gaps = Array.from({ length: bins }, (): { y0: number; y1: number }[] => []);
  // The lower edge of the words so far, for each bin.
  const reached = new Float64Array(bins).fill(top);
  for (const word of words) {
    const first = Math.max(0, Math.floor((word.x0 - left) / BIN));
    const last = Math.min(bins - 1, Math.floor((word.x1 - left) / BIN));
    for (let bin = first; bin <= last; bin += 1) {
      if (word.y0 - reached[bin]! >= height * SHORTEST) gaps[bin]!.push({ y0: reached[bin]!, y1: word.y0 });
      if (word.y1 > reached[bin]!) reached[bin] = word.y1;
    }
  }
  const strips: Strip[] = [];
  let beside: Strip[] = [];
  for (const [bin, inBin] of gaps.entries()) {
    if (bottom - reached[bin]! >= height * SHORTEST) inBin.push({ y0: reached[bin]!, y1: bottom });
    beside = inBin.map(({ y0, y1 }) => {
      const strip = beside.find((other) => Math.abs(other.y0 - y0) < height && Math.abs(other.y1 - y1) < height);
      if (!strip) {
        const begun = { x: left + (bin + 0.5) * BIN, y0, y1, bins: 1 };
        strips.push(begun);
        return begun;
      }
      // The middle of the bins so far, and the strip that is empty in all of them.
      strip.x += BIN / 2;
      strip.bins += 1;
      strip.y0 = Math.max(strip.y0, y0);
      strip.y1 = Math.min(strip.y1, y1);
      return strip;
    });
  }
  return strips;
}

function hasProseOnBothSides(words: readonly Word[], { x, y0, y1 }: Strip): boolean {
  const left: Word[] = [];
  const right: Word[] = [];
  for (const word of words) {
    const middle = (word.y0 + word.y1) / 2;
    if (middle < y0 || middle > y1) continue;
    (word.x0 < x ? left : right).push(word);
  }
  return isProse(left) && isProse(right);
}

const FEWEST_LINES = 4;
const FEWEST_WORDS = 4;
/** In heights of a row: a wider gap ends a line. */
const LINE_END = 1.5;
/** In heights of a row. */
const NARROWEST_LINE = 10;
/** Lines of prose reach the right margin, except the last of a paragraph. */
const FULL_WIDTH = 0.75;
const FULL_LINES = 0.5;
const LETTERS = 0.65;

/** Whether words are running text: full lines of many words with letters. */
export function isProse(words: readonly Word[]): boolean {
  const rows = groupRows(words);
  if (rows.length < FEWEST_LINES) return false;
  const lines = rows.flatMap(({ words: inRow, y0, y1 }) => {
    const height = y1 - y0;
    const parts: { width: number; count: number; height: number }[] = [];
    let start = 0;
    for (let index = 1; index <= inRow.length; index += 1) {
      if (index < inRow.length && inRow[index]!.x0 - inRow[index - 1]!.x1 < height * LINE_END) continue;
      parts.push({ width: inRow[index - 1]!.x1 - inRow[start]!.x0, count: index - start, height });
      start = index;
    }
    return parts;
  });
  const widths = lines.map((line) => line.width).sort((a, b) => a - b);
  const usual = widths[Math.floor(widths.length * 0.8)]!;
  const counts = lines.map((line) => line.count).sort((a, b) => a - b);
  const text = words.map((word) => word.text).join('');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (
    usual >= lines[0]!.height * NARROWEST_LINE &&
    counts[Math.floor(counts.length / 2)]! >= FEWEST_WORDS &&
    widths.filter((width) => width >= usual * FULL_WIDTH).length >= widths.length * FULL_LINES &&
    letters >= text.length * LETTERS
  );
}
