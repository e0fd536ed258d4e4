import { wordSimilarity } from '../../fill/labels/word-similarity.ts';
import { wordsOf } from '../../page/fold.ts';

const minSimilarity = 0.6;
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** The value at a leaf of a JSON value. */
export type Scalar = string | number | boolean | null;

/** The leaves of a result, by dotted path with indexes. */
export function leavesOf(value: unknown, path = ''): Map<string, Scalar> {
  const leaves = new Map<string, Scalar>();
  if (typeof value !== 'object' || value === null) {
    if (path !== '') leaves.set(path, value as Scalar);
    return leaves;
  }
  for (const [key, part] of Object.entries(value)) {
    for (const [leafPath, leaf] of leavesOf(part, path === '' ? key : `${path}.${key}`)) leaves.set(leafPath, leaf);
  }
  return leaves;
}

/** The path for words such as `the amount of line 2`: `line_items.1.amount`; null when no path matches. */
export function pathFor(words: string, leaves: ReadonlyMap<string, Scalar>): string | null {
  if (leaves.has(words.trim())) return words.trim();
  const requestedRow = rowIn(words);
  const row = requestedRow === -1 ? Math.max(...[...leaves.keys()].map((path) => rowOf(path) ?? 0)) : requestedRow;
  const rest = row === null ? words : words.replace(rowWords, ' ');
  const candidates = [...leaves.keys()].filter((path) => rowOf(path) === row);
  const name = wordsOf(rest.replace(/\b(?:the|of|in|for|on|value|field)\b/giu, ' '));
  const scored = candidates.map((path) => {
    const names = path.split('.').filter((part) => !/^\d+$/u.test(part));
    const whole = names.join(' ');
    const last = names.at(-1) ?? '';
    const isExact = wordsOf(last) === name || wordsOf(whole) === name;
    return { path, score: isExact ? 2 : Math.max(wordSimilarity(last, name), wordSimilarity(whole, name)) };
  });
  const [best, next] = scored.sort((a, b) => b.score - a.score);
  if (!best || best.score < minSimilarity || (next && next.score === best.score && best.score < 1)) return null;
  return best.path;
}

const rowWords = new RegExp(
  String.raw`\b(?:(?:the\s+)?(?:${ordinals.join('|')}|last)\s+(?:line items?|line|row|item|position)|(?:line items?|line|row|item|position)\s*#?\d+)\b`,
  'iu',
);

/** The index of a row, from 0, in words such as `line 2`; -1 for `the last row`; null without a row. */
export function rowIn(words: string): number | null {
  const [match] = rowWords.exec(words) ?? [];
  if (match === undefined) return null;
  const digits = /\d+/u.exec(match)?.[0];
  return digits === undefined
    ? ordinals.findIndex((ordinal) => match.toLowerCase().includes(ordinal))
    : Number(digits) - 1;
}

function rowOf(path: string): number | null {
  const index = path.split('.').find((part) => /^\d+$/u.test(part));
  return index === undefined ? null : Number(index);
}
