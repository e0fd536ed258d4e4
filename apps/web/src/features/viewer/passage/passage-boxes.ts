import type { PageBox } from '../geometry/box-geometry.ts';
import type { LinkedPassage } from './passage.ts';
import { boxesOfRange, type DocumentWords } from '../search/search-text.ts';

/** A match further away than this from the previous word, in characters, is another word. */
const maxGap = 400;

/**
 * The start of each word of a page in the page's text, which has the same words in the same order. A word that is not in
 * the text starts where the previous one ends.
 */
export function wordStarts(text: string, words: readonly { text: string }[]): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const { text: word } of words) {
    const found = text.slice(at, at + maxGap + word.length).indexOf(word);
    starts.push(found < 0 ? at : at + found);
    if (found >= 0) at += found + word.length;
  }
  return starts;
}

/** The boxes of a passage's lines, and of each match in it. */
export function passageBoxes(
  passage: LinkedPassage,
  text: string,
  words: DocumentWords,
): { lines: PageBox[]; matches: PageBox[][] } {
  const starts = wordStarts(text, words.words);
  const boxes = (range: { start: number; end: number }) => boxesOfRange(words, starts, passage.page, range);
  return { lines: passage.range ? boxes(passage.range) : [], matches: (passage.found?.matches ?? []).map(boxes) };
}
