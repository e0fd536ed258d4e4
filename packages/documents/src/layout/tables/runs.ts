import type { Row } from '../rows/rows.ts';
import type { Word } from '../../page/page.ts';

/** In heights of a row: a wider gap parts two cells. */
const CELL_GAP = 0.8;

/** The stretch of a row that something takes. */
export interface Stretch {
  x0: number;
  x1: number;
}

/** Adjacent words of one line. */
export interface Run<RunWord extends Word> extends Stretch {
  words: RunWord[];
}

export function runsOf<RunWord extends Word>({ words, y0, y1 }: Row<RunWord>): Run<RunWord>[] {
  const runs: Run<RunWord>[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last && word.x0 - last.x1 < (y1 - y0) * CELL_GAP) {
      last.words.push(word);
      last.x1 = Math.max(last.x1, word.x1);
    } else runs.push({ x0: word.x0, x1: word.x1, words: [word] });
  }
  return runs;
}
