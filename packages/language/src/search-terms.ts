import { foldText, wordsOf } from './words.ts';

/** Longer words are cut, because nobody types them. */
const maxTermLength = 40;

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
  const terms = new Set<string>();
  for (const word of wordsOf(text)) terms.add(foldText(word.text).slice(0, maxTermLength));
  return terms;
}
