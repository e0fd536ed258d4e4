import type { Word } from '../../page/page.ts';
import { findGutter } from './find-gutter.ts';
import { median } from './median.ts';
import { boundsOf, groupRows, type Row } from './rows.ts';

/** Number of times that a block is split again. */
const maxDepth = 6;
/** A block with fewer rows that are narrow or have a gap cannot have columns. */
const minBrokenRows = 6;
/** Share of the block's width. */
const maxNarrowWidth = 0.6;
/** In heights of a row. */
const minGapWidth = 0.7;

/**
 * Splits a page with columns of prose side by side into blocks of rows in reading order: the rows above the columns,
 * each column, the rows below. Tables and label-value pairs are not split, because they are read across.
 */
export function readingBlocks<RowWord extends Word>(
  words: readonly RowWord[],
  rows = groupRows(words),
  depth = 0,
): Row<RowWord>[][] {
  if (depth >= maxDepth || !mightHaveColumns(rows)) return [rows];
  const gutter = findGutter(words, rows);
  if (!gutter) return [rows];
  const above: RowWord[] = [];
  const left: RowWord[] = [];
  const right: RowWord[] = [];
  const below: RowWord[] = [];
  for (const word of words) {
    const middle = (word.y0 + word.y1) / 2;
    if (middle < gutter.y0) above.push(word);
    else if (middle > gutter.y1) below.push(word);
    else if (word.x0 < gutter.x) left.push(word);
    else right.push(word);
  }
  return [above, left, right, below]
    .filter((block) => block.length > 0)
    .flatMap((block) => readingBlocks(block, groupRows(block), depth + 1));
}

function mightHaveColumns(rows: readonly Row[]): boolean {
  const { x0, x1 } = boundsOf(rows);
  let broken = 0;
  for (const { words, y0, y1 } of rows) {
    const isNarrow = words.at(-1)!.x1 - words[0]!.x0 < (x1 - x0) * maxNarrowWidth;
    const hasGap = words.some((word, index) => index > 0 && word.x0 - words[index - 1]!.x1 > (y1 - y0) * minGapWidth);
    if (isNarrow || hasGap) broken += 1;
    if (broken >= minBrokenRows) return true;
  }
  return false;
}

/** The left edge of the text and the width of a character, in the coordinates of the page. */
export interface TextGrid {
  left: number;
  characterWidth: number;
}

/** In character widths: a gap from here on separates columns rather than words. */
const minColumnGap = 1.7;
/** In heights of a row: a larger gap between rows becomes a blank line. */
export const paragraphGap = 0.8;

/** Formats rows as lines of text on a grid of average characters, so that columns are aligned. */
export function rowsToText(rows: readonly Row[], grid = textGridOf(rows)): string {
  const lines: string[] = [];
  let last: Row | undefined;
  for (const row of rows) {
    if (last && row.y0 - last.y1 > (last.y1 - last.y0) * paragraphGap) lines.push('');
    lines.push(rowText(row, grid.left, grid.characterWidth));
    last = row;
  }
  return lines.join('\n');
}

/** So many words determine the usual width of a character. */
const maxSampledWords = 200;

export function textGridOf(rows: readonly { words: readonly Word[] }[]): TextGrid {
  const count = rows.reduce((sum, { words }) => sum + words.length, 0);
  const step = Math.ceil(count / maxSampledWords);
  const widths: number[] = [];
  let left = Infinity;
  let index = 0;
  for (const { words } of rows) {
    for (const { text, x0, x1 } of words) {
      if (x0 < left) left = x0;
      if (index % step === 0) widths.push((x1 - x0) / text.length);
      index += 1;
    }
  }
  return { left, characterWidth: Math.max(0.5, median(widths) ?? 5) };
}

function rowText(row: Row, left: number, characterWidth: number): string {
  // A row that is read from the right has no columns on a grid that counts from the left.
  const isReversed = row.words[0]!.x0 > row.words.at(-1)!.x0;
  let line = '';
  let last: Word | undefined;
  for (const word of row.words) {
    const column = isReversed ? 0 : Math.round((word.x0 - left) / characterWidth);
    if (!last) {
      line = ' '.repeat(Math.max(0, column));
    } else if (Math.max(word.x0 - last.x1, last.x0 - word.x1) > characterWidth * minColumnGap) {
      line = line.padEnd(Math.max(line.length + 2, column));
    } else {
      line += ' ';
    }
    line += word.text;
    last = word;
  }
  return line;
}
