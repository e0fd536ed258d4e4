import { foldedTokens } from './fold-text.ts';
import type { IndexedWord, PageIndex } from './page-index.ts';
import type { Place } from './place.ts';

/** Distance of a label from its value. */
const maxWordsBefore = 8;
const maxLinesAbove = 3;
/** Nearness that each word or line between label and value costs. */
const wordPenalty = 0.04;
const linePenalty = 0.15;
/** Nearness of a label that is many lines above. */
const minNearnessAbove = 0.2;
/** Words with a common start of this length are similar. */
const minStemLength = 4;

/** The words of a field's name, the same for `invoiceDate` and `invoice_date`. */
export function nameTokens(name: string): string[] {
  return foldedTokens(name.replace(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll('_', ' '));
}

/**
 * The share of a field's name, 0–1, that is at the place of a label: on the line before the value, or above it.
 * `linesAbove` is larger for the cells of a table, whose label is the header of their column.
 */
export function labelNearness(
  index: PageIndex,
  place: Place,
  name: readonly string[],
  linesAbove: number = maxLinesAbove,
): number {
  const firstWord = place.words[0]!;
  const { line, page } = index.words[firstWord]!;
  const found = new Map<string, number>();
  const addWord = (word: IndexedWord, nearness: number): void => {
    for (let token = word.firstToken; token < word.firstToken + word.tokenCount; token += 1) {
      const { text } = index.tokens[token]!;
      for (const part of name) {
        if (isSameStem(part, text)) found.set(part, Math.max(found.get(part) ?? 0, nearness));
      }
    }
  };
  for (let before = 1; before <= maxWordsBefore; before += 1) {
    const word = index.words[firstWord - before];
    if (!word || word.line !== line) break;
    addWord(word, 1 - before * wordPenalty);
  }
  for (let above = 1; above <= linesAbove && line - above >= 0; above += 1) {
    const start = index.lineStarts[line - above]!;
    if (index.words[start]!.page !== page) break;
    for (let position = start; position < index.lineStarts[line - above + 1]!; position += 1) {
      const word = index.words[position]!;
      if (isAbove(word, index.words[firstWord]!)) addWord(word, Math.max(minNearnessAbove, 1 - above * linePenalty));
    }
  }
  let sum = 0;
  for (const nearness of found.values()) sum += nearness;
  return sum / Math.max(1, name.length);
}

function isAbove(word: IndexedWord, value: IndexedWord): boolean {
  const slack = value.upright.y1 - value.upright.y0;
  return word.upright.x0 < value.upright.x1 + slack && word.upright.x1 > value.upright.x0 - slack;
}

function isSameStem(a: string, b: string): boolean {
  if (a === b) return true;
  return a.length >= minStemLength && b.length >= minStemLength && (a.startsWith(b) || b.startsWith(a));
}
