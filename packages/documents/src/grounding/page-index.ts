import { turnUpright, type Box, type ReadingDirection } from '../layout/reading-direction.ts';
import type { Page, Word } from '../page.ts';
import { foldedTokens } from './fold-text.ts';

/** A word of some page with its position among all words. */
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

export interface Token {
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

/** In heights of a word: how far off the middle of the next word of a line can be. */
const SAME_LINE = 0.5;

export function indexPages(pages: readonly Page[]): PageIndex {
  const index: PageIndex = { words: [], tokens: [], positions: new Map(), longestToken: 0, lineStarts: [] };
  for (const page of pages) {
    for (const { word, upright, isLineStart } of wordsByLine(page.words)) {
      if (isLineStart) index.lineStarts.push(index.words.length);
      addWord(index, word, page, upright);
    }
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
  return distance < Math.min(last.y1 - last.y0, next.y1 - next.y0) * SAME_LINE;
}

/** Words have no reading direction: on a sideways page most are taller than wide and follow each other up or down. */
export function directionOf(words: readonly Word[]): ReadingDirection {
  const long = words.filter((word) => word.text.length > 3);
  const tall = long.filter((word) => word.y1 - word.y0 > (word.x1 - word.x0) * 1.5);
  if (tall.length * 2 <= long.length) return 'right';
  let down = 0;
  for (const [position, word] of words.entries()) {
    const next = words[position + 1];
    if (next && Math.abs(next.x0 - word.x0) < word.x1 - word.x0) down += Math.sign(next.y0 - word.y0);
  }
  return down >= 0 ? 'down' : 'up';
}
