import type { Word } from '../../page/page.ts';
import type { Row } from '../rows/rows.ts';

/** In heights of a row: a wider gap separates two cells. */
const minCellGap = 0.8;

/** The left and right edge of a run or a column. */
export interface Stretch {
  x0: number;
  x1: number;
}

/** Adjacent words of one row. */
export interface WordRun<RunWord extends Word> extends Stretch {
  words: RunWord[];
}

/** A row with its runs. */
export interface LineOfRuns<RunWord extends Word> extends Row<RunWord> {
  runs: WordRun<RunWord>[];
}

/** Whether two stretches have more than an edge in common. */
export function haveOverlap(a: Stretch, b: Stretch): boolean {
  return Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0) > 0;
}

/** Splits a row at its wide gaps. */
export function runsOf<RunWord extends Word>({ words, y0, y1 }: Row<RunWord>): WordRun<RunWord>[] {
  const runs: WordRun<RunWord>[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last && word.x0 - last.x1 < (y1 - y0) * minCellGap) {
      last.words.push(word);
      last.x1 = Math.max(last.x1, word.x1);
    } else runs.push({ x0: word.x0, x1: word.x1, words: [word] });
  }
  return runs;
}
