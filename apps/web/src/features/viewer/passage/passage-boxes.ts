import type { Box } from '../geometry/box-geometry.ts';
import type { Passage } from './passage.ts';
import { boxesOfRange, type DocumentWords } from '../search/search-text.ts';

/** A word that is further away than that from the one before it is another one. */
const farthest = 400;

/**
 * Where each word of a page stands in the page's text, which has the same words in the same order with gaps between them; a
 * word that is not there stands where the one before it ends.
 */
export function wordStarts(text: string, words: readonly { text: string }[]): number[] {
  const starts: number[] = [];
  let at = 0;
  for (const { text: word } of words) {
    const found = text.slice(at, at + farthest + word.length).indexOf(word);
    starts.push(found < 0 ? at : at + found);
    if (found >= 0) at += found + word.length;
  }
  return starts;
}

/** The lines of a passage, and each match in it, as boxes of its page. */
export function passageBoxes(passage: Passage, text: string, words: DocumentWords): { lines: Box[]; matches: Box[][] } {
  const starts = wordStarts(text, words.words);
  const boxes = (range: { start: number; end: number }) => boxesOfRange(words, starts, passage.page, range);
  return { lines: passage.range ? boxes(passage.range) : [], matches: (passage.found?.matches ?? []).map(boxes) };
}
