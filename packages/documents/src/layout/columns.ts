import type { Word } from '../page.ts';
import { findGutter } from './find-gutter.ts';
import { boundsOf, groupRows, type Row } from './rows.ts';

const DEEPEST_SPLIT = 6;
/** Fewer rows than this with room beside or within them cannot be columns. */
const FEWEST_BROKEN_ROWS = 6;
const NARROW_ROW = 0.6;

/**
 * Splits a page with columns of prose side by side into blocks of rows in reading order: the rows above the columns,
 * each column, the rows below. Tables and label-value pairs are not split, because they are read across.
 */
export function readingBlocks<RowWord extends Word>(words: readonly RowWord[], depth = 0): Row<RowWord>[][] {
  const rows = groupRows(words);
  if (depth >= DEEPEST_SPLIT || !mayHoldColumns(rows)) return [rows];
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
    .flatMap((block) => readingBlocks(block, depth + 1));
}

function mayHoldColumns(rows: readonly Row[]): boolean {
  const { x0, x1 } = boundsOf(rows);
  let broken = 0;
  for (const { words, y0, y1 } of rows) {
    const isNarrow = words.at(-1)!.x1 - words[0]!.x0 < (x1 - x0) * NARROW_ROW;
    const hasGap = words.some((word, index) => index > 0 && word.x0 - words[index - 1]!.x1 > (y1 - y0) * 0.7);
    if (isNarrow || hasGap) broken += 1;
    if (broken >= FEWEST_BROKEN_ROWS) return true;
  }
  return false;
}
