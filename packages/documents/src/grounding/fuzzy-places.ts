import { foldedTokens } from './fold-text.ts';
import type { PageIndex } from './page-index.ts';
import type { Place } from './place.ts';

const SHORTEST_VALUE = 5;
const LONGEST_VALUE = 300;
/** Allowed edits for each letter. */
const TOLERANCE = 0.2;
const SHORTEST_ANCHOR = 3;
const MAX_ANCHORS = 40;
const MAX_PLACES = 5;

/**
 * Places that differ from `value` by a few letters, as after OCR or a model's correction. It only searches where a word
 * of the value occurs unchanged, or, for a value of one word, among words of about its length. The cost is therefore
 * bounded.
 */
export function fuzzyPlaces(index: PageIndex, value: string): Place[] {
  const tokens = foldedTokens(value);
  const letters = tokens.join('');
  if (letters.length < SHORTEST_VALUE || letters.length > LONGEST_VALUE || /^\d+$/.test(letters)) return [];
  const limit = Math.floor(letters.length * TOLERANCE);
  const found = new Map<string, Place>();
  for (const start of startsOf(index, tokens, limit)) {
    const place = bestWindow(index, start, letters, limit);
    if (place) found.set(place.words.join(), place);
  }
  return [...found.values()].sort((a, b) => b.fit - a.fit).slice(0, MAX_PLACES);
}

/** Tokens at which the value can start. */
function startsOf(index: PageIndex, tokens: readonly string[], limit: number): Set<number> {
  const starts = new Set<number>();
  const anchors = tokens
    .map((text, offset) => ({
      offset,
      positions: text.length < SHORTEST_ANCHOR ? [] : (index.positions.get(text) ?? []),
    }))
    .filter(({ positions }) => positions.length > 0)
    .sort((a, b) => a.positions.length - b.positions.length);
  for (const { offset, positions } of anchors) {
    for (const position of positions.slice(0, MAX_ANCHORS)) {
      for (const shift of [-1, 0, 1]) starts.add(position - offset + shift);
    }
    if (starts.size > MAX_ANCHORS) return starts;
  }
  if (starts.size > 0) return starts;
  const [first = ''] = tokens;
  for (const [text, positions] of index.positions) {
    if (text[0] !== first[0] && text.at(-1) !== first.at(-1)) continue;
    if (editDistance(text, first, limit) <= limit) for (const position of positions.slice(0, 3)) starts.add(position);
    if (starts.size > MAX_ANCHORS) break;
  }
  return starts;
}

/** The run of tokens from `start` that is nearest to the value. */
function bestWindow(index: PageIndex, start: number, letters: string, limit: number): Place | undefined {
  if (start < 0 || start >= index.tokens.length) return undefined;
  const figures = figuresOf(letters);
  let text = '';
  let best = limit + 1;
  let bestEnd = start;
  for (let end = start; end < index.tokens.length && text.length < letters.length + limit; end += 1) {
    text += index.tokens[end]!.text;
    if (text.length < letters.length - limit) continue;
    // Different digits mean another number, not a misprint.
    const distance = figuresOf(text) === figures ? editDistance(text, letters, limit) : limit + 1;
    if (distance < best) {
      best = distance;
      bestEnd = end;
    }
  }
  if (best > limit) return undefined;
  const first = index.tokens[start]!.word;
  const last = index.tokens[bestEnd]!.word;
  if (index.words[first]!.page !== index.words[last]!.page) return undefined;
  const words = Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  return { words, match: 'fuzzy', fit: (1 - best / letters.length) * 0.5 };
}

function figuresOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** Number of edits that turn `a` into `b`, or `limit + 1` for more than `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      const value = Math.min(row[j - 1]! + cost, row[j]! + 1, next[j - 1]! + 1);
      next.push(value);
      if (value < least) least = value;
    }
    if (least > limit) return limit + 1;
    row = next;
  }
  return row[b.length]!;
}
