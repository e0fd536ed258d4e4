import type { Word } from '../../page/page.ts';
import { median } from '../rows/median.ts';
import type { LineOfRuns, Stretch, WordRun } from './runs.ts';

/** Between two columns, in heights of a row and in usual spaces between words; and what all rows leave empty there. */
const minNarrowGap = 0.34;
const minWordSpaces = 1.6;
const minStrip = 0.26;
/** Rows with words on both sides of a strip. */
const minDivided = 3;

/** The usual space between two words of a run, in heights of a row. */
export function wordSpaceOf(lines: readonly LineOfRuns<Word>[]): number {
  const spaces: number[] = [];
  for (const { runs, y0, y1 } of lines) {
    for (const { words } of runs) {
      for (const [at, word] of words.entries()) if (at > 0) spaces.push((word.x0 - words[at - 1]!.x1) / (y1 - y0));
    }
  }
  return median(spaces) ?? 0;
}

/**
 * Splits the runs of the lines of a table once more, where columns are too close for one line to show it: between them all
 * lines leave the same strip empty, which the words of prose do not.
 */
export function splitAtStrips<RunWord extends Word, Line extends LineOfRuns<RunWord>>(
  lines: readonly Line[],
  wordSpace: number,
): Line[] {
  const strips = emptyStrips(
    lines.filter(({ runs }) => runs.length > 1),
    Math.max(minNarrowGap, wordSpace * minWordSpaces),
  );
  if (strips.length === 0) return [...lines];
  return lines.map((line) => ({ ...line, runs: line.runs.flatMap((run) => splitRun(run, strips)) }));
}

/** The strips inside of runs that no word of the lines crosses. */
function emptyStrips(lines: readonly LineOfRuns<Word>[], minGap: number): Stretch[] {
  const found: (Stretch & { height: number })[] = [];
  for (const { runs, y0, y1 } of lines) {
    const height = y1 - y0;
    for (const { words } of runs) {
      for (const [at, { x0: end }] of words.entries()) {
        const start = words[at - 1]?.x1;
        if (start === undefined || end - start < height * minGap) continue;
        if (!found.some(({ x0, x1 }) => Math.min(x1, end) - Math.max(x0, start) >= height * minStrip))
          found.push({ x0: start, x1: end, height });
      }
    }
  }
  return found.filter((strip) => {
    let around = 0;
    for (const { words } of lines) {
      let [before, after] = [-Infinity, Infinity];
      for (const { x0, x1 } of words) {
        if ((x0 + x1) / 2 < (strip.x0 + strip.x1) / 2) before = Math.max(before, x1);
        else after = Math.min(after, x0);
      }
      if (before === -Infinity || after === Infinity) continue;
      around += 1;
      strip.x0 = Math.max(strip.x0, before);
      strip.x1 = Math.min(strip.x1, after);
      if (strip.x1 - strip.x0 < strip.height * minStrip) return false;
    }
    return around >= minDivided;
  });
}

function splitRun<RunWord extends Word>(run: WordRun<RunWord>, strips: readonly Stretch[]): WordRun<RunWord>[] {
  const parts: WordRun<RunWord>[] = [];
  for (const word of run.words) {
    const last = parts.at(-1);
    const isApart = last !== undefined && strips.some(({ x0, x1 }) => last.x1 <= x0 && word.x0 >= x1);
    if (last === undefined || isApart) parts.push({ x0: word.x0, x1: word.x1, words: [word] });
    else {
      last.words.push(word);
      last.x1 = Math.max(last.x1, word.x1);
    }
  }
  return parts;
}
