import type { Word } from '../page.ts';
import type { Row } from './rows.ts';

/** Letters of a right-to-left script, whose rows are read from the right. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefe]/;
/** In character widths: from here on a gap separates columns rather than words. */
const WIDE_GAP = 2.2;
/** In blank rows: a paragraph gap stays visible as one blank line. */
const PARAGRAPH_GAP = 0.8;

/** Rows as lines of text on a grid of average characters, so that what stands below each other stays so. */
export function rowsToText(rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const words = rows.flatMap((row) => row.words);
  const left = Math.min(...words.map((word) => word.x0));
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
  let line = '';
  let last: Word | undefined;
  for (const word of inReadingOrder(row.words)) {
    const column = Math.round((word.x0 - left) / characterWidth);
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

/** Left to right; a row that is mostly right-to-left is turned round, its runs of other words turned back. */
export function inReadingOrder(words: readonly Word[]): readonly Word[] {
  const turned = words.filter((word) => rightToLeft.test(word.text)).length;
  if (turned * 2 <= words.length) return words;
  const ordered: Word[] = [];
  let run: Word[] = [];
  for (const word of words.toReversed()) {
    if (rightToLeft.test(word.text)) {
      ordered.push(...run, word);
      run = [];
    } else {
      run.unshift(word);
    }
  }
  return [...ordered, ...run];
}

function medianCharacterWidth(words: readonly Word[]): number {
  const widths = words.map((word) => (word.x1 - word.x0) / word.text.length).sort((a, b) => a - b);
  return Math.max(0.5, widths[Math.floor(widths.length / 2)] ?? 5);
}
