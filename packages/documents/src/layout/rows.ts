import type { Word } from '../page.ts';

/** Words on one line of sight, left to right. */
export interface Row {
  words: Word[];
  y0: number;
  y1: number;
}

/** In heights of the lower word: how far apart the middles of two words of one row may lie. */
const SAME_ROW = 0.5;

/** Rows from top to bottom. */
export function groupRows(words: readonly Word[]): Row[] {
  const sorted = [...words].sort((a, b) => a.y0 + a.y1 - b.y0 - b.y1);
  const rows: Row[] = [];
  let row: Row | undefined;
  let middle = 0;
  let height = 0;
  for (const word of sorted) {
    const wordMiddle = (word.y0 + word.y1) / 2;
    const wordHeight = word.y1 - word.y0;
    if (row && wordMiddle - middle < Math.min(height, wordHeight) * SAME_ROW) {
      row.words.push(word);
      row.y0 = Math.min(row.y0, word.y0);
      row.y1 = Math.max(row.y1, word.y1);
      middle += (wordMiddle - middle) / row.words.length;
      height += (wordHeight - height) / row.words.length;
    } else {
      row = { words: [word], y0: word.y0, y1: word.y1 };
      rows.push(row);
      middle = wordMiddle;
      height = wordHeight;
    }
  }
  for (const { words: inRow } of rows) inRow.sort((a, b) => a.x0 - b.x0);
  return rows;
}
