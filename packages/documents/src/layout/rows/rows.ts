import type { Box } from '../../page/box.ts';
import type { Word } from '../../page/page.ts';

/** Words at the same height, left to right. */
export interface Row<RowWord extends Word = Word> {
  words: RowWord[];
  y0: number;
  y1: number;
}

/** Between the middles of two words of one row, in heights of the lower word. */
const maxMiddleDistance = 0.5;

/** Groups words into rows, from top to bottom. */
export function groupRows<RowWord extends Word>(words: readonly RowWord[]): Row<RowWord>[] {
  const sorted = isInOrder(words, sumOfEdges) ? words : words.toSorted((a, b) => sumOfEdges(a) - sumOfEdges(b));
  const rows: Row<RowWord>[] = [];
  let row: Row<RowWord> | undefined;
  let middle = 0;
  let height = 0;
  for (const word of sorted) {
    const wordMiddle = (word.y0 + word.y1) / 2;
    const wordHeight = word.y1 - word.y0;
    if (row && wordMiddle - middle < Math.min(height, wordHeight) * maxMiddleDistance) {
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
  for (const { words: rowWords } of rows) if (!isInOrder(rowWords, leftEdge)) rowWords.sort((a, b) => a.x0 - b.x0);
  return rows;
}

const sumOfEdges = ({ y0, y1 }: Word): number => y0 + y1;
const leftEdge = ({ x0 }: Word): number => x0;

/** Most files draw their words in order, and this check costs a fraction of a sort. */
function isInOrder(words: readonly Word[], keyOf: (word: Word) => number): boolean {
  let last = -Infinity;
  for (const word of words) {
    const key = keyOf(word);
    if (key < last) return false;
    last = key;
  }
  return true;
}

/** The box around rows whose words go from left to right. */
export function boundsOf(rows: readonly Row[]): Box {
  const bounds: Box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  for (const { words, y0, y1 } of rows) {
    bounds.x0 = Math.min(bounds.x0, words[0]!.x0);
    bounds.y0 = Math.min(bounds.y0, y0);
    bounds.x1 = Math.max(bounds.x1, words.at(-1)!.x1);
    bounds.y1 = Math.max(bounds.y1, y1);
  }
  return bounds;
}
