import { foldedTokens } from './fold-text.ts';
import type { IndexedWord, PageIndex } from './page-index.ts';
import { quoteOf, type Place } from './place.ts';

const MAX_PLACES = 100;
const MAX_STEPS = 20_000;
/** Fewer letters and digits than this are no evidence inside a longer word or across several words. */
const SHORTEST_PART = 3;
const SHORTEST_SPREAD = 6;
const PART_OF_WORD = 0.6;
const SPREAD_OVER_WORDS = 0.8;

/**
 * Places with the same sequence of letters and digits as `value`, regardless of case, accents, spaces and punctuation.
 */
export function textPlaces(index: PageIndex, value: string): Place[] {
  const tokens = foldedTokens(value);
  const letters = tokens.join('');
  if (letters === '') return [];
  const ends = tokenEnds(tokens);
  const written = value.trim().replace(/\s+/g, ' ');
  const search: Search = { index, letters, ends, steps: 0 };
  const places: Place[] = [];
  const longest = Math.min(letters.length, index.longestToken);
  for (let length = longest; length > 0 && places.length < MAX_PLACES; length -= 1) {
    for (const start of index.positions.get(letters.slice(0, length)) ?? []) {
      const path = followRun(search, start, length) ?? follow(search, [start], length, 0);
      const place = path && placeOf(search, path, written);
      if (place) places.push(place);
      if (places.length >= MAX_PLACES || search.steps > MAX_STEPS) return places;
    }
  }
  return places;
}

interface Search {
  index: PageIndex;
  letters: string;
  /** Offsets at which a token of the value ends. */
  ends: ReadonlySet<number>;
  steps: number;
}

interface Path {
  tokens: number[];
  /** Number of times that two words of the page are inside one token of the value. */
  spreads: number;
}

/** A cheap path for the usual case: the tokens of the value follow each other in reading order. */
function followRun(search: Search, start: number, length: number): Path | undefined {
  const { index, letters, ends } = search;
  const { page } = index.words[index.tokens[start]!.word]!;
  let offset = length;
  let end = start;
  let spreads = 0;
  while (offset < letters.length) {
    const token = index.tokens[end + 1];
    if (!token || !letters.startsWith(token.text, offset) || index.words[token.word]!.page !== page) return undefined;
    if (token.word !== index.tokens[end]!.word && !ends.has(offset)) spreads += 1;
    offset += token.text.length;
    end += 1;
  }
  return { tokens: Array.from({ length: end - start + 1 }, (_, step) => start + step), spreads };
}

/** Follows the value from token to token: the next in reading order, or the first on the next line of the same cell. */
function follow(search: Search, tokens: number[], offset: number, spreads: number): Path | undefined {
  const { index, letters, ends } = search;
  search.steps += 1;
  if (offset === letters.length) return { tokens, spreads };
  if (search.steps > MAX_STEPS) return undefined;
  const current = tokens.at(-1)!;
  for (const next of nextTokens(index, tokens[0]!, current)) {
    const token = index.tokens[next]!;
    if (!letters.startsWith(token.text, offset)) continue;
    const isSpread = token.word !== index.tokens[current]!.word && !ends.has(offset);
    const path = follow(search, [...tokens, next], offset + token.text.length, spreads + (isSpread ? 1 : 0));
    if (path) return path;
  }
  return undefined;
}

function nextTokens(index: PageIndex, first: number, current: number): number[] {
  const next = current + 1;
  const here = index.words[index.tokens[current]!.word]!;
  const following = index.tokens[next];
  const candidates: number[] = [];
  if (following && index.words[following.word]!.page === here.page) candidates.push(next);
  const followingWord = following && index.words[following.word]!;
  if (followingWord === here || (followingWord && isNextTo(here, followingWord))) return candidates;
  const wrapped = wrapTarget(index, index.tokens[first]!.word, index.tokens[current]!.word);
  if (wrapped !== undefined && wrapped !== next) candidates.push(wrapped);
  return candidates;
}

/** In heights of a word: with less room than this before the next word, the line continues. */
const LINE_END = 0.8;
/** How far down a value can continue, in lines of the whole page and in heights of a word. */
const MAX_LINES_DOWN = 6;
const MAX_ROOM = 2.5;

function isNextTo(word: IndexedWord, next: IndexedWord): boolean {
  const { y0, x1, y1 } = word.upright;
  return word.line === next.line && next.upright.x0 - x1 < (y1 - y0) * LINE_END;
}

/** First token of the word that continues below, when a cell or a block beside other text breaks its line. */
function wrapTarget(index: PageIndex, firstWord: number, lastWord: number): number | undefined {
  const first = index.words[firstWord]!;
  const last = index.words[lastWord]!;
  const height = last.upright.y1 - last.upright.y0;
  // A line may start left of the first word, after a label.
  for (let line = last.line + 1; line < Math.min(last.line + MAX_LINES_DOWN, index.lineStarts.length - 1); line += 1) {
    for (let position = index.lineStarts[line]!; position < index.lineStarts[line + 1]!; position += 1) {
      const candidate = index.words[position]!;
      if (candidate.page !== last.page || candidate.upright.y0 - last.upright.y1 > height * MAX_ROOM) return undefined;
      const isBelow = candidate.upright.y0 >= last.upright.y0 + height * 0.5;
      // A line may start with a sign without letters: the token after it is the right one.
      if (isBelow && Math.abs(candidate.upright.x0 - first.upright.x0) < height * 0.7) return candidate.firstToken;
    }
  }
  return undefined;
}

function placeOf({ index, letters }: Search, { tokens, spreads }: Path, written: string): Place | undefined {
  if (spreads > 0 && letters.length < SHORTEST_SPREAD) return undefined;
  const words = wordsOf(index, tokens);
  const first = index.words[words[0]!]!;
  const last = index.words[words.at(-1)!]!;
  const isWhole = tokens[0] === first.firstToken && tokens.at(-1) === last.firstToken + last.tokenCount - 1;
  if (!isWhole && letters.length < SHORTEST_PART && !followsLabel(first.word.text, written)) return undefined;
  const fit = (isWhole ? 1 : PART_OF_WORD) * (spreads > 0 ? SPREAD_OVER_WORDS : 1);
  const isExact = isWhole && quoteOf(index, words).includes(written);
  return { words, match: isExact ? 'exact' : 'normalized', fit };
}

/** Whether a word is a label and the value after its colon, as in `Customer:2`: then even one digit is evidence. */
function followsLabel(word: string, written: string): boolean {
  return word.endsWith(written) && /[:=#]$/.test(word.slice(0, -written.length));
}

/** The words of the tokens, and the words between them that are only signs. */
function wordsOf(index: PageIndex, tokens: readonly number[]): number[] {
  const words: number[] = [];
  for (const token of tokens) {
    const { word } = index.tokens[token]!;
    const last = words.at(-1);
    if (word === last) continue;
    let between = (last ?? word) + 1;
    while (between < word && index.words[between]!.tokenCount === 0) between += 1;
    if (last !== undefined && between === word) for (let sign = last + 1; sign < word; sign += 1) words.push(sign);
    words.push(word);
  }
  return words;
}

function tokenEnds(tokens: readonly string[]): Set<number> {
  const ends = new Set<number>();
  let offset = 0;
  for (const token of tokens) {
    offset += token.length;
    ends.add(offset);
  }
  return ends;
}
