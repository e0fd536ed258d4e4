import type { Box } from '../../page/box.ts';
import type { Word } from '../../page/page.ts';
import { median, medianHeight } from './median.ts';
import { boundsOf, type Row, groupRows } from './rows.ts';

/** An empty strip between two columns. */
interface Gutter {
  x: number;
  y0: number;
  y1: number;
}

interface Strip extends Gutter {
  /** Its width. */
  bins: number;
}

/** Points: resolution of the search. */
const binWidth = 1;
/** Size of a gutter in heights of a row. */
const minGutterWidth = 0.5;
const minGutterHeight = 5;
/** Number of strips to check for prose on both sides, the tallest first. */
const maxTriedStrips = 12;

/** The tallest empty strip that has prose on both sides. */
export function findGutter(words: readonly Word[], rows: readonly Row[]): Gutter | undefined {
  const height = medianHeight(words)!;
  const inOrder = rows.flatMap((row) => row.words);
  return emptyStrips(inOrder, boundsOf(rows), height)
    .filter((strip) => strip.bins * binWidth >= height * minGutterWidth)
    .sort((a, b) => b.y1 - b.y0 - (a.y1 - a.y0) || b.bins - a.bins)
    .slice(0, maxTriedStrips)
    .find((strip) => hasProseOnBothSides(words, strip));
}

/** Strips that no word crosses. Each reaches from a word down to the next one. `words` go from top to bottom. */
function emptyStrips(words: readonly Word[], bounds: Box, height: number): Strip[] {
  const { x0: left, x1: right, y0: top, y1: bottom } = bounds;
  const bins = Math.ceil((right - left) / binWidth);
  const gaps = Array.from({ length: bins }, (): { y0: number; y1: number }[] => []);
  // The lower edge of the words above, for each bin.
  const lowerEdges = new Float64Array(bins).fill(top);
  for (const word of words) {
    const first = Math.max(0, Math.floor((word.x0 - left) / binWidth));
    const last = Math.min(bins - 1, Math.floor((word.x1 - left) / binWidth));
    for (let bin = first; bin <= last; bin += 1) {
      if (word.y0 - lowerEdges[bin]! >= height * minGutterHeight)
        gaps[bin]!.push({ y0: lowerEdges[bin]!, y1: word.y0 });
      if (word.y1 > lowerEdges[bin]!) lowerEdges[bin] = word.y1;
    }
  }
  const strips: Strip[] = [];
  let ofLastBin: Strip[] = [];
  for (const [bin, gapsInBin] of gaps.entries()) {
    if (bottom - lowerEdges[bin]! >= height * minGutterHeight) gapsInBin.push({ y0: lowerEdges[bin]!, y1: bottom });
    ofLastBin = gapsInBin.map(({ y0, y1 }) => {
      const strip = ofLastBin.find((other) => Math.abs(other.y0 - y0) < height && Math.abs(other.y1 - y1) < height);
      if (!strip) {
        const started = { x: left + (bin + 0.5) * binWidth, y0, y1, bins: 1 };
        strips.push(started);
        return started;
      }
      // The middle of the bins so far, and the strip that is empty in all of them.
      strip.x += binWidth / 2;
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

const minLines = 4;
const minLineWords = 4;
/** In heights of a row: a wider gap between two words ends a line. */
const maxWordGap = 1.5;
/** Usual width of a line, in heights of a row. */
const minLineWidth = 10;
/** The usual width of a line is this quantile: the last lines of paragraphs are shorter. */
const usualWidthQuantile = 0.8;
/** Lines of prose reach the right margin, except the last of a paragraph: share of the usual width, and of all lines. */
const minFullWidthShare = 0.75;
const minFullLineShare = 0.5;
/** Share of letters among the characters. */
const minLetterShare = 0.65;

/** Whether words are running text: full lines of many words with letters. */
export function isProse(words: readonly Word[]): boolean {
  const rows = groupRows(words);
  if (rows.length < minLines) return false;
  const lines = rows.flatMap(({ words: inRow, y0, y1 }) => {
    const height = y1 - y0;
    const parts: { width: number; count: number; height: number }[] = [];
    let start = 0;
    for (let index = 1; index <= inRow.length; index += 1) {
      if (index < inRow.length && inRow[index]!.x0 - inRow[index - 1]!.x1 < height * maxWordGap) continue;
      parts.push({ width: inRow[index - 1]!.x1 - inRow[start]!.x0, count: index - start, height });
      start = index;
    }
    return parts;
  });
  const widths = lines.map((line) => line.width).sort((a, b) => a - b);
  const usualWidth = widths[Math.floor(widths.length * usualWidthQuantile)]!;
  const text = words.map((word) => word.text).join('');
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return (
    usualWidth >= lines[0]!.height * minLineWidth &&
    median(lines.map((line) => line.count))! >= minLineWords &&
    widths.filter((width) => width >= usualWidth * minFullWidthShare).length >= widths.length * minFullLineShare &&
    letters >= text.length * minLetterShare
  );
}
