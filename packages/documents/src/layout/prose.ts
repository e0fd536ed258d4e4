import type { Word } from '../page.ts';
import { groupRows } from './rows.ts';

const FEWEST_LINES = 4;
const FEWEST_WORDS = 4;
/** In heights of a row: a wider gap ends a line. */
const LINE_END = 1.5;
/** In heights of a row. */
const NARROWEST = 10;
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
    usual >= lines[0]!.height * NARROWEST &&
    counts[Math.floor(counts.length / 2)]! >= FEWEST_WORDS &&
    widths.filter((width) => width >= usual * FULL_WIDTH).length >= widths.length * FULL_LINES &&
    letters >= text.length * LETTERS
  );
}
