import { editDistance } from '../page/edit-distance.ts';
import { foldedTokens } from './fold-text.ts';
import type { PageIndex } from './page-index.ts';
import type { Place } from './place.ts';

/** Letters and digits of a value that is searched for. */
const minValueLength = 5;
const maxValueLength = 300;
const maxEditsPerLetter = 0.2;
/** An anchor is a word of the value that occurs unchanged on the page. */
const minAnchorLength = 3;
const maxAnchors = 40;
const maxPlaces = 5;
/** Fit of a place without any edits; each edit lowers it. */
const maxFit = 0.5;

/**
 * Places that differ from `value` by a few letters, as after OCR or a model's correction. The search is limited to the
 * surroundings of unchanged words of the value, or to similar words if there are none, so that its cost is bounded.
 */
export function fuzzyPlaces(index: PageIndex, value: string): Place[] {
  const tokens = foldedTokens(value);
  const letters = tokens.join('');
  if (letters.length < minValueLength || letters.length > maxValueLength || /^\d+$/.test(letters)) return [];
  const maxEdits = Math.floor(letters.length * maxEditsPerLetter);
  const found = new Map<string, Place>();
  for (const start of startsOf(index, tokens, maxEdits)) {
    const place = bestWindow(index, start, letters, maxEdits);
    if (place) found.set(place.words.join(), place);
  }
  return [...found.values()].sort((a, b) => b.fit - a.fit).slice(0, maxPlaces);
}

/** Tokens at which the value can start. */
function startsOf(index: PageIndex, tokens: readonly string[], maxEdits: number): Set<number> {
  const starts = new Set<number>();
  const anchors = tokens
    .map((text, offset) => ({
      offset,
      positions: text.length < minAnchorLength ? [] : (index.positions.get(text) ?? []),
    }))
    .filter(({ positions }) => positions.length > 0)
    .sort((a, b) => a.positions.length - b.positions.length);
  for (const { offset, positions } of anchors) {
    for (const position of positions.slice(0, maxAnchors)) {
      for (const shift of [-1, 0, 1]) starts.add(position - offset + shift);
    }
    if (starts.size > maxAnchors) return starts;
  }
  if (starts.size > 0) return starts;
  const [first = ''] = tokens;
  for (const [text, positions] of index.positions) {
    if (text[0] !== first[0] && text.at(-1) !== first.at(-1)) continue;
    if (editDistance(text, first, maxEdits) <= maxEdits)
      for (const position of positions.slice(0, 3)) starts.add(position);
    if (starts.size > maxAnchors) break;
  }
  return starts;
}

/** The run of tokens from `start` that is nearest to the value. */
function bestWindow(index: PageIndex, start: number, letters: string, maxEdits: number): Place | undefined {
  if (start < 0 || start >= index.tokens.length) return undefined;
  const digits = digitsOf(letters);
  let text = '';
  let best = maxEdits + 1;
  let bestEnd = start;
  for (let end = start; end < index.tokens.length && text.length < letters.length + maxEdits; end += 1) {
    text += index.tokens[end]!.text;
    if (text.length < letters.length - maxEdits) continue;
    // Different digits mean another number, not a misprint.
    const distance = digitsOf(text) === digits ? editDistance(text, letters, maxEdits) : maxEdits + 1;
    if (distance < best) {
      best = distance;
      bestEnd = end;
    }
  }
  if (best > maxEdits) return undefined;
  const first = index.tokens[start]!.word;
  const last = index.tokens[bestEnd]!.word;
  if (index.words[first]!.page !== index.words[last]!.page) return undefined;
  const words = Array.from({ length: last - first + 1 }, (_, offset) => first + offset);
  return { words, match: 'fuzzy', fit: (1 - best / letters.length) * maxFit };
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
