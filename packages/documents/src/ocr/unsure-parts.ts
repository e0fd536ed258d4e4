import type { RecognizedWord } from './engine/recognized-word.ts';

/** Around a word, in heights of it: a part of the page that is as unsure as the word itself. */
const reach = { across: 14, down: 4 };
/** Fewer words around one say nothing of the part. */
const minAround = 8;
/** Mean confidence of the words of a part, for each letter, below which they are not what the page shows. */
const minConfidence = 0.65;

/**
 * The words that are sure, or have sure words around them. Slanted and mirrored text is recognised as words that are not there, all of
 * little confidence; single unsure words are on each scan.
 */
export function withoutUnsureParts(words: readonly RecognizedWord[]): RecognizedWord[] {
  const sorted = words.toSorted((one, other) => one.y0 - other.y0);
  const tallest = sorted.reduce((most, { y0, y1 }) => Math.max(most, y1 - y0), 0);
  let first = 0;
  return sorted.filter((word) => {
    const height = word.y1 - word.y0;
    while (sorted[first]!.y0 < word.y0 - (reach.down + 1) * tallest) first += 1;
    let [letters, sum, around] = [0, 0, 0];
    for (let at = first; at < sorted.length && sorted[at]!.y0 <= word.y1 + reach.down * height; at += 1) {
      const other = sorted[at]!;
      if (other.y1 < word.y0 - reach.down * height) continue;
      if (other.x0 > word.x1 + reach.across * height || other.x1 < word.x0 - reach.across * height) continue;
      around += 1;
      letters += other.text.length;
      sum += other.text.length * other.confidence;
    }
    return around < minAround || sum >= letters * minConfidence;
  });
}
