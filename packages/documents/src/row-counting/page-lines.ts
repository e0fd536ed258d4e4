import { groupRows } from '../layout/rows/rows.ts';
import type { Page, Word } from '../page/page.ts';
import { directionOf, turnUpright } from '../page/reading-direction.ts';

/** Adjacent words of a line, in points of the page after it has been turned until its text runs to the right. */
export interface LineCell {
  x0: number;
  x1: number;
  text: string;
  /** Its words, until the cell has its place in a table. */
  words?: { x0: number; x1: number; text: string }[];
}

/** A line of a page, in the same points as its cells. */
export interface PageLine {
  page_num: number;
  y0: number;
  y1: number;
  /** From left to right. */
  cells: LineCell[];
}

/** In heights of a word: a wider gap separates two cells. A space is about a quarter. */
const minCellGap = 0.55;

/** The lines of a page from top to bottom, each split into cells at its gaps. */
export function pageLines({ page_num, words }: Pick<Page, 'page_num' | 'words'>): PageLine[] {
  const direction = directionOf(words);
  const upright =
    direction === 'right' ? words : words.map((word): Word => ({ ...turnUpright(word, direction), text: word.text }));
  return groupRows(upright).map((row) => {
    const cells: LineCell[] = [];
    for (const { x0, x1, y0, y1, text } of row.words) {
      const last = cells.at(-1);
      if (last && x0 - last.x1 < (y1 - y0) * minCellGap) {
        last.text += ` ${text}`;
        last.x1 = Math.max(last.x1, x1);
        last.words!.push({ x0, x1, text });
      } else {
        cells.push({ x0, x1, text, words: [{ x0, x1, text }] });
      }
    }
    return { page_num, y0: row.y0, y1: row.y1, cells };
  });
}

/** A line as text, with two spaces between its cells. */
export function lineText({ cells }: Pick<PageLine, 'cells'>): string {
  return cells.map(({ text }) => text).join('  ');
}
