import { setImmediate } from 'node:timers/promises';
import { languageOfCode, stemsOf } from '@docwright/language';
import { createLanguageDetector } from '@docwright/language/detect';

/** How often each word stands in a text. */
export interface WordProfile {
  counts: ReadonlyMap<string, number>;
  /** Words of the text. */
  length: number;
}

/** UTF-16 units of a text that count: what a document is like shows at its beginning. */
export const profiledCharacters = 8_000;

const detect = createLanguageDetector();

/** The words of the beginning of a text, as the stems of its language. */
export function profileOf(text: string): WordProfile {
  const beginning = text.slice(0, profiledCharacters);
  const code = detect(beginning);
  const stems = stemsOf(beginning, (code === undefined ? undefined : languageOfCode(code)) ?? 'none').split(' ');
  const counts = new Map<string, number>();
  for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return { counts, length: stems.length };
}

/** BM25's usual constants: how fast a repeated word stops counting, and how much long texts are discounted. */
const saturation = 1.2;
const lengthDiscount = 0.75;

/** Candidates that are looked at without a pause for what else waits. */
const atOnce = 20;

/**
 * The candidates in the order of how near their words are to those of `text`, by BM25: words that few candidates have count most.
 * Of two that are equally near the first comes first. A candidate with the very same words is left out: it is a copy, and would
 * give the answer away.
 */
export async function nearest<Candidate extends { profile: WordProfile }>(
  text: WordProfile,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const others = candidates.filter(({ profile }) => !isSame(profile, text));
  const averageLength = others.reduce((sum, { profile }) => sum + profile.length, 0) / Math.max(1, others.length);
  const having = new Map<string, number>();
  await forEach(others, ({ profile: { counts } }) => {
    for (const word of text.counts.keys()) if (counts.has(word)) having.set(word, (having.get(word) ?? 0) + 1);
  });
  const rarity = new Map(
    [...having].map(([word, count]) => [word, Math.log(1 + (others.length - count + 0.5) / (count + 0.5))]),
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
  return others.toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
}

async function forEach<One>(all: readonly One[], look: (one: One) => void): Promise<void> {
  for (const [at, one] of all.entries()) {
    if (at % atOnce === atOnce - 1) await setImmediate();
    look(one);
  }
}

function isSame(one: WordProfile, other: WordProfile): boolean {
  if (one.length !== other.length || one.counts.size !== other.counts.size) return false;
  for (const [word, count] of one.counts) if (other.counts.get(word) !== count) return false;
  return true;
}
