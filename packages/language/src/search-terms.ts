import { wordsOf } from './words.ts';

/**
 * A text without case, accents and other differences that a search ignores: `ß` becomes `ss`, a ligature its letters.
 *
 * @example
 * ```ts
 * import { foldText } from './search-terms.ts';
 *
 * console.log(foldText('Straße') === foldText('STRASSE'), foldText('Café') === foldText('cafe\u0301')); // true true
 * ```
 */
export function foldText(text: string): string {
  // Lower case before and after: some capitals have no composed small letter.
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '');
  return plain.toLowerCase().replaceAll('ß', 'ss').normalize('NFC');
}

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
