import type { Box } from '../page/box.ts';
import type { Page, Word } from '../page/page.ts';
import { directionOf, turnUpright } from '../page/reading-direction.ts';
import { foldedTokens } from './fold-text.ts';

/** A word of a page, with its place among all words. */
export interface IndexedWord {
  word: Word;
  page: Page;
  /** Box after the page has been turned until its text runs to the right. */
  upright: Box;
  /** Line number across all pages. */
  line: number;
  firstToken: number;
  tokenCount: number;
}

/** A run of letters and digits within a word. */
interface Token {
  text: string;
  /** Position of its word. */
  word: number;
}

/** All words of a document in reading order, prepared for searching. */
export interface PageIndex {
  words: IndexedWord[];
  tokens: Token[];
  /** Positions of each distinct token. */
  positions: Map<string, number[]>;
  longestToken: number;
  /** First word of each line, and one past the last word. */
  lineStarts: number[];
}

/** Words that are searched or indexed in one step. */
export const wordsPerStep = 500;

/** Between the middles of two words of a line, in heights of the lower word. */
const maxMiddleDistance = 0.5;

/** Prepares the words of all pages for searching, in steps. */
export function* indexPages(pages: readonly Page[]): Generator<void, PageIndex, undefined> {
  const index: PageIndex = { words: [], tokens: [], positions: new Map(), longestToken: 0, lineStarts: [] };
  for (const page of pages) {
    for (const { word, upright, isLineStart } of wordsByLine(page.words)) {
      if (isLineStart) index.lineStarts.push(index.words.length);
      addWord(index, word, page, upright);
      if (index.words.length % wordsPerStep === 0) yield;
    }
    yield;
  }
  index.lineStarts.push(index.words.length);
  return index;
}

/** The words of a page in the order of its lines, in any reading direction. */
export function* wordsByLine(
  words: readonly Word[],
): Generator<{ word: Word; upright: Box; isLineStart: boolean }, void, undefined> {
  const direction = directionOf(words);
  let last: Box | undefined;
  for (const word of words) {
    const upright = direction === 'right' ? word : turnUpright(word, direction);
    yield { word, upright, isLineStart: !last || !continuesLine(last, upright) };
    last = upright;
  }
}

function addWord(index: PageIndex, word: Word, page: Page, upright: Box): void {
  const texts = foldedTokens(word.text);
  index.words.push({
    word,
    page,
    upright,
    line: index.lineStarts.length - 1,
    firstToken: index.tokens.length,
    tokenCount: texts.length,
  });
  for (const text of texts) {
    const known = index.positions.get(text);
    if (known) known.push(index.tokens.length);
    else index.positions.set(text, [index.tokens.length]);
    if (text.length > index.longestToken) index.longestToken = text.length;
    index.tokens.push({ text, word: index.words.length - 1 });
  }
}

function continuesLine(last: Box, next: Box): boolean {
  const distance = Math.abs(last.y0 + last.y1 - next.y0 - next.y1) / 2;
  return distance < Math.min(last.y1 - last.y0, next.y1 - next.y0) * maxMiddleDistance;
}
