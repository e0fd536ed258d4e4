import type { Page, Word } from '../page/page.ts';
import type { Grounding, GroundingBox } from './grounding.ts';
import type { PageIndex } from './page-index.ts';

/** Words that can be the place of a value. */
export interface Place {
  /** Positions in the index, in reading order. */
  words: number[];
  match: 'exact' | 'normalized' | 'fuzzy';
  /** 0–1: how well the words fit the value, regardless of their surroundings. */
  fit: number;
  /** Number of places that fit equally well, including this one, if there are several. */
  equals?: number;
}

/** The line of a place's first word. */
export function lineOf(index: PageIndex, place: Place): number {
  return index.words[place.words[0]!]!.line;
}

/** The text of words, with single spaces. */
export function quoteOf(index: PageIndex, words: readonly number[]): string {
  return words.map((word) => index.words[word]!.word.text).join(' ');
}

/** The grounding for a place: one box for each of its lines. */
export function groundingOf(index: PageIndex, place: Place): Grounding {
  const boxes = lineBoxes(place.words.map((position) => index.words[position]!));
  const places = place.equals === undefined ? {} : { places: place.equals };
  // None of several equal places is certainly that of the value.
  const match = place.equals !== undefined && place.match === 'exact' ? 'normalized' : place.match;
  return { page_num: boxes[0]!.page_num, quote: quoteOf(index, place.words), boxes, match, ...places };
}

/** A word with its page and line. */
export interface WordInLine {
  word: Word;
  page: Pick<Page, 'page_num' | 'width' | 'height'>;
  line: number;
}

/** A box for each line of the words. */
export function lineBoxes(words: Iterable<WordInLine>): GroundingBox[] {
  const boxes: GroundingBox[] = [];
  let lastLine = -1;
  for (const { word, page, line } of words) {
    const box = {
      page_num: page.page_num,
      x0: fraction(word.x0 / page.width),
      y0: fraction(word.y0 / page.height),
      x1: fraction(word.x1 / page.width),
      y1: fraction(word.y1 / page.height),
    };
    const current = boxes.at(-1);
    if (current && line === lastLine) {
      current.x0 = Math.min(current.x0, box.x0);
      current.y0 = Math.min(current.y0, box.y0);
      current.x1 = Math.max(current.x1, box.x1);
      current.y1 = Math.max(current.y1, box.y1);
    } else {
      boxes.push(box);
    }
    lastLine = line;
  }
  return boxes;
}

function fraction(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 100_000) / 100_000;
}
