/**
 * Compiles label phrases (folded, regular expression syntax allowed) into one pattern. A space in a phrase stands for
 * any run of spaces, points, hyphens and signs of ordinals, so that `p o number` finds `P.O. NUMBER`; a phrase is found as whole words.
 */
export function labelPattern(phrases: readonly string[]): RegExp {
  const sources = [...phrases]
    .sort((a, b) => b.length - a.length)
    .map((phrase) => phrase.replaceAll(' ', String.raw`[\s.\-_/º°]*`));
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${sources.join('|')})(?![\p{L}]|-\d)`, 'gu');
}

/** How much of a text the longest hit of a label pattern covers, from 0 to 1. */
export function shareOf({ folded }: { folded: string }, labels: RegExp): number {
  let longest = 0;
  for (const [hit] of folded.matchAll(labels)) longest = Math.max(longest, hit.length);
  return longest / folded.length;
}
