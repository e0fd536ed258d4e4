import type { Word } from '../page.ts';
import type { Row } from './rows.ts';

/** In character widths: a gap from here on separates columns rather than words. */
const WIDE_GAP = 1.7;
/** In blank rows: a paragraph gap becomes one blank line. */
const PARAGRAPH_GAP = 0.8;

/** Formats rows as lines of text on a grid of average characters, so that columns are aligned. */
export function rowsToText(rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const words = rows.flatMap((row) => row.words);
  const left = words.reduce((least, word) => Math.min(least, word.x0), Infinity);
  const characterWidth = medianCharacterWidth(words);
  const lines: string[] = [];
  let last: Row | undefined;
  for (const row of rows) {
    if (last && row.y0 - last.y1 > (last.y1 - last.y0) * PARAGRAPH_GAP) lines.push('');
    lines.push(rowText(row, left, characterWidth));
    last = row;
  }
  return lines.join('\n');
}

function rowText(row: Row, left: number, characterWidth: number): string {
  // A row read from the right has no columns on a grid that counts from the left.
  const isTurned = row.words[0]!.x0 > row.words.at(-1)!.x0;
  let line = '';
  let last: Word | undefined;
  for (const word of row.words) {
    const column = isTurned ? 0 : Math.round((word.x0 - left) / characterWidth);
    if (!last) {
      line = ' '.repeat(Math.max(0, column));
    } else if (Math.max(word.x0 - last.x1, last.x0 - word.x1) > characterWidth * WIDE_GAP) {
      line = line.padEnd(Math.max(line.length + 2, column));
    } else {
      line += ' ';
    }
    line += word.text;
    last = word;
  }
  return line;
}

/** Enough words to measure the usual width. */
const SAMPLE = 200;

function medianCharacterWidth(words: readonly Word[]): number {
  const step = Math.ceil(words.length / SAMPLE);
  const sample = words.filter((_, index) => index % step === 0);
  const widths = sample.map((word) => (word.x1 - word.x0) / word.text.length).sort((a, b) => a - b);
  return Math.max(0.5, widths[Math.floor(widths.length / 2)] ?? 5);
}
