import { setImmediate } from 'node:timers/promises';
import { languageOfCode, stemsOf } from '@docwright/language';
import { createLanguageDetector } from '@docwright/language/detect';

/** The number of occurrences of each word in a text. */
export interface WordProfile {
  counts: ReadonlyMap<string, number>;
  /** The number of words in the text. */
  length: number;
}

/** How many UTF-16 units of a text are used: its beginning shows its kind. */
export const profiledCharacters = 8_000;

const detect = createLanguageDetector();

/** The profile of the beginning of a text, with words stemmed in its language. */
export function profileOf(text: string): WordProfile {
  const beginning = text.slice(0, profiledCharacters);
  const code = detect(beginning);
  const stems = stemsOf(beginning, (code === undefined ? undefined : languageOfCode(code)) ?? 'none').split(' ');
  const counts = new Map<string, number>();
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return { counts, length: stems.length };
}

/** The usual constants of BM25, `k1` and `b`: saturation of repeated words, and discount of long texts. */
const saturation = 1.2;
const lengthDiscount = 0.75;

/** How many candidates are processed before yielding to the event loop. */
const yieldInterval = 20;

/**
 * Ranks the candidates by the similarity of their words to `text`, by BM25: words that few candidates have count most.
 * Equal candidates keep their order. A candidate with exactly the same words is left out: it is a copy and would give
 * the answer away.
 */
export async function nearest<Candidate extends { profile: WordProfile }>(
  text: WordProfile,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const others = candidates.filter(({ profile }) => !isSame(profile, text));
  const averageLength = others.reduce((sum, { profile }) => sum + profile.length, 0) / Math.max(1, others.length);
  const documentCounts = new Map<string, number>();
  await forEach(others, ({ profile: { counts } }) => {
    for (const word of text.counts.keys())
      if (counts.has(word)) documentCounts.set(word, (documentCounts.get(word) ?? 0) + 1);
  });
  const rarity = new Map(
    [...documentCounts].map(([word, count]) => [word, Math.log(1 + (others.length - count + 0.5) / (count + 0.5))]),
  );
  const scores = new Map<Candidate, number>();
  await forEach(others, (candidate) => {
    const { counts, length } = candidate.profile;
    const discount = saturation * (1 - lengthDiscount + (lengthDiscount * length) / averageLength);
    let score = 0;
    for (const [word, weight] of rarity) {
      const count = counts.get(word) ?? 0;
      score += (weight * count * (saturation + 1)) / (count + discount);
    }
    scores.set(candidate, score);
  });
  // The sort is stable.
  return others.toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0));
}

async function forEach<Item>(items: readonly Item[], visit: (item: Item) => void): Promise<void> {
  for (const [at, item] of items.entries()) {
    if (at % yieldInterval === yieldInterval - 1) await setImmediate();
    visit(item);
  }
}

function isSame(a: WordProfile, b: WordProfile): boolean {
  if (a.length !== b.length || a.counts.size !== b.counts.size) return false;
  for (const [word, count] of a.counts) if (b.counts.get(word) !== count) return false;
  return true;
}
