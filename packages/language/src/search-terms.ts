import { foldText, wordsOf } from './words.ts';

/** Longer words are cut: users do not search for them. */
const maxTermLength = 40;

/** Longer words are cut before their case and accents are compared, too: a text can be one word of a megabyte. */
const maxFoldedLength = 10 * maxTermLength;
/** Words between two turns of other work. */
const wordsPerTurn = 5_000;

/**
 * The different words of a text as a search compares them.
 *
 * @example
 * ```ts
 * import { searchTerms } from './search-terms.ts';
 *
 * console.log([...searchTerms('Größe, GRÖSSE: INV-08')]); // ['grosse', 'inv', '08']
 * ```
 */
export function searchTerms(text: string): Set<string> {
  const steps = termsInSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/**
 * The same for a text of any length, with turns for other work between its words.
 *
 * @example
 * ```ts
 * import { searchTermsInTurns } from './search-terms.ts';
 *
 * console.log([...(await searchTermsInTurns('Größe, GRÖSSE: INV-08'))]); // ['grosse', 'inv', '08']
 * ```
 */
export async function searchTermsInTurns(text: string): Promise<Set<string>> {
  const steps = termsInSteps(text);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await new Promise((resolve) => {
      setTimeout(resolve);
    });
  }
}

function* termsInSteps(text: string): Generator<void, Set<string>, undefined> {
  const words = new Set<string>();
  const terms = new Set<string>();
  let count = 0;
  for (const word of wordsOf(text)) {
    count += 1;
    if (count % wordsPerTurn === 0) yield;
    if (words.has(word.text)) continue;
    words.add(word.text);
    terms.add(foldText(word.text.slice(0, maxFoldedLength)).slice(0, maxTermLength));
  }
  return terms;
}
