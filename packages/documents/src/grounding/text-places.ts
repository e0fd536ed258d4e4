import { foldedTokens } from './fold-text.ts';
import type { IndexedWord, PageIndex } from './page-index.ts';
import { quoteOf, type Place } from './place.ts';

/** Limits of the search for one value. */
const maxPlaces = 100;
const maxSteps = 20_000;
/** Fewer letters and digits are no evidence inside a longer word, or spread over several words. */
const minPartLength = 3;
const minSpreadLength = 6;
/** Fit of a value inside a longer word, and of one spread over several words. */
const partOfWordFit = 0.6;
const spreadFit = 0.8;

/** Places with the letters and digits of `value` in order, regardless of case, accents, spaces and punctuation. */
export function textPlaces(index: PageIndex, value: string): Place[] {
  const tokens = foldedTokens(value);
  const letters = tokens.join('');
  if (letters === '') return [];
  const ends = tokenEnds(tokens);
  const written = value.trim().replace(/\s+/g, ' ');
  const search: Search = { index, letters, ends, steps: 0 };
  const places: Place[] = [];
  const longest = Math.min(letters.length, index.longestToken);
  for (let length = longest; length > 0 && places.length < maxPlaces; length -= 1) {
    for (const start of index.positions.get(letters.slice(0, length)) ?? []) {
      const path = followRun(search, start, length) ?? follow(search, [start], length, 0);
      const place = path && placeOf(search, path, written);
      if (place) places.push(place);
      if (places.length >= maxPlaces || search.steps > maxSteps) return places;
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

/** The path in the usual case: the tokens of the value follow each other in reading order. This check is cheap. */
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
  const maxGap = letters.length < minLongLength ? maxWordGap : maxGapOfLong;
  search.steps += 1;
  if (offset === letters.length) return { tokens, spreads };
  if (search.steps > maxSteps) return undefined;
  const current = tokens.at(-1)!;
  for (const next of nextTokens(index, tokens[0]!, current, maxGap)) {
    const token = index.tokens[next]!;
    if (!letters.startsWith(token.text, offset)) continue;
    const isSpread = token.word !== index.tokens[current]!.word && !ends.has(offset);
    const path = follow(search, [...tokens, next], offset + token.text.length, spreads + (isSpread ? 1 : 0));
    if (path) return path;
  }
  return undefined;
}

function nextTokens(index: PageIndex, first: number, current: number, maxGap: number): number[] {
  const next = current + 1;
  const here = index.words[index.tokens[current]!.word]!;
  const following = index.tokens[next];
  const candidates: number[] = [];
  if (following && index.words[following.word]!.page === here.page) candidates.push(next);
  const followingWord = following && index.words[following.word]!;
  if (followingWord === here || (followingWord && isNextTo(here, followingWord, maxGap))) return candidates;
  const wrapped = wrapTarget(index, index.tokens[first]!.word, index.tokens[current]!.word);
  if (wrapped !== undefined && wrapped !== next) candidates.push(wrapped);
  return candidates;
}

/** Between two words of a line, in heights of a word. */
const maxWordGap = 0.8;
/** A column can be closer. A long value is evidence enough that its line breaks before it. */
const maxGapOfLong = 0.4;
const minLongLength = 20;
/** Between the lines of a value: lines of the page, and heights of a word. */
const maxLinesDown = 6;
const maxLineGap = 2.5;
/** Between the left edges of the lines of a value, in heights of a word. */
const maxIndent = 0.7;

function isNextTo(word: IndexedWord, next: IndexedWord, maxGap: number): boolean {
  const { y0, x1, y1 } = word.upright;
  return word.line === next.line && next.upright.x0 - x1 < (y1 - y0) * maxGap;
}

/** First token of the word that continues below, when a cell or a block beside other text breaks its line. */
function wrapTarget(index: PageIndex, firstWord: number, lastWord: number): number | undefined {
  const first = index.words[firstWord]!;
  const last = index.words[lastWord]!;
  const height = last.upright.y1 - last.upright.y0;
  // The first line can have a label before the value.
  for (let line = last.line + 1; line < Math.min(last.line + maxLinesDown, index.lineStarts.length - 1); line += 1) {
    for (let position = index.lineStarts[line]!; position < index.lineStarts[line + 1]!; position += 1) {
      const candidate = index.words[position]!;
      if (candidate.page !== last.page || candidate.upright.y0 - last.upright.y1 > height * maxLineGap)
        return undefined;
      const isBelow = candidate.upright.y0 >= last.upright.y0 + height * 0.5;
      // A line can start with a sign without letters; its first token is the next one.
      if (isBelow && Math.abs(candidate.upright.x0 - first.upright.x0) < height * maxIndent)
        return candidate.firstToken;
    }
  }
  return undefined;
}

function placeOf({ index, letters }: Search, { tokens, spreads }: Path, written: string): Place | undefined {
  if (spreads > 0 && letters.length < minSpreadLength) return undefined;
  const words = wordsOf(index, tokens);
  const first = index.words[words[0]!]!;
  const last = index.words[words.at(-1)!]!;
  const isWhole = tokens[0] === first.firstToken && tokens.at(-1) === last.firstToken + last.tokenCount - 1;
  if (!isWhole && letters.length < minPartLength && !followsLabel(first.word.text, written)) return undefined;
  const fit = (isWhole ? 1 : partOfWordFit) * (spreads > 0 ? spreadFit : 1);
  const isExact = isWhole && quoteOf(index, words).includes(written);
  return { words, match: isExact ? 'exact' : 'normalized', fit };
}

/** Whether a word is a label with the value after its colon, as in `Customer:2`. Even one digit is evidence then. */
function followsLabel(word: string, written: string): boolean {
  return word.endsWith(written) && /[:=#]$/.test(word.slice(0, -written.length));
}

/** The words of the tokens, and the words between them that are signs alone. */
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
