/**
 * Compiles label phrases (folded, with regular expression syntax) into one pattern. A space in a phrase matches any run of
 * spaces, points, hyphens and ordinal signs, so that `p o number` finds `P.O. NUMBER`. A phrase matches only whole words.
 *
 * @example
 * ```ts
 * import { labelPattern } from './label.ts';
 *
 * 'p.o. number: 7'.match(labelPattern(['p o number'])); // ['p.o. number']
 * ```
 */
export function labelPattern(phrases: readonly string[]): RegExp {
  const sources = [...phrases]
    .sort((a, b) => b.length - a.length)
    .map((phrase) => phrase.replaceAll(' ', String.raw`[\s.\-_/º°]*`));
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${sources.join('|')})(?![\p{L}]|-\d)`, 'gu');
}

/**
 * The share of a text that the longest match of a label pattern covers, from 0 to 1.
 *
 * @example
 * ```ts
 * import { labelPattern, shareOf } from './label.ts';
 *
 * shareOf({ folded: 'total due' }, labelPattern(['total'])); // 5 / 9
 * ```
 */
export function shareOf({ folded }: { folded: string }, labels: RegExp): number {
  let longest = 0;
  for (const [hit] of folded.matchAll(labels)) longest = Math.max(longest, hit.length);
  return longest / folded.length;
}
