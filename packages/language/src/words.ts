import { rulesOf, type TextLanguage } from './text-language.ts';

/** A word of a text, or a character of a script without spaces. */
export interface TextWord {
  text: string;
  /** Range in UTF-16 units of the text; `end` is exclusive. */
  start: number;
  end: number;
  /** Whether it is a character of a script without spaces. */
  isCharacter: boolean;
}

const wordPattern =
  /([[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&\p{L}]\p{M}*)|[[\p{L}\p{M}\p{N}\p{Co}]--[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&\p{L}]]+/gv;

/**
 * The words of a text, in order.
 *
 * @example
 * ```ts
 * import { wordsOf } from './words.ts';
 *
 * console.log([...wordsOf('Paid, 東京')].map(({ text }) => text)); // ['Paid', '東', '京']
 * ```
 */
export function* wordsOf(text: string): Generator<TextWord, void, undefined> {
  for (const match of text.matchAll(wordPattern)) {
    const [found, character] = match;
    yield {
      text: found,
      start: match.index,
      end: match.index + found.length,
      isCharacter: character !== undefined,
    };
  }
}

/** Longer words are not stemmed, because no search asks for their other forms. */
const maxStemmedLength = 64;
/** Number of stems of a language in the cache. */
const maxCachedStems = 50_000;
const cachedStems = new Map<TextLanguage, Map<string, string>>();

/**
 * The common part of a word's forms, without case and accents.
 *
 * @example
 * ```ts
 * import { stemOf } from './words.ts';
 *
 * console.log(stemOf('Häuser', 'german') === stemOf('Haus', 'german')); // true
 * ```
 */
export function stemOf(text: string, language: TextLanguage): string {
  if (text.length > maxStemmedLength) return withoutAccents(lowerCase(text));
  let stems = cachedStems.get(language);
  if (!stems) cachedStems.set(language, (stems = new Map()));
  const known = stems.get(text);
  if (known !== undefined) return known;
  // The cache holds a copy, because a substring keeps its whole text in memory.
  const word = Buffer.from(text, 'utf16le').toString('utf16le');
  // Accents are removed last, because the stemming rules of a language need them.
  const stem = withoutAccents(rulesOf(language).stem(lowerCase(word)));
  if (stems.size >= maxCachedStems) stems.clear();
  stems.set(word, stem);
  return stem;
}

/** Whether a word is so frequent in a language that searches ignore it. */
export const isStopWord = (text: string, language: TextLanguage): boolean =>
  rulesOf(language).stopWords.has(lowerCase(text));

/**
 * The stems of a text in order, separated by spaces.
 *
 * @example
 * ```ts
 * import { stemsOf } from './words.ts';
 *
 * console.log(stemsOf('The invoices', 'english')); // 'the invoic'
 * ```
 */
export function stemsOf(text: string, language: TextLanguage): string {
  const words = text.match(isAscii(text) ? asciiWord : wordPattern) ?? [];
  return words.map((found) => stemOf(found, language)).join(' ');
}

const isAscii = (text: string): boolean => /^[\s\x20-\x7e]*$/.test(text);
const asciiWord = /[a-z\d]+/gi;

const lowerCase = (text: string): string => (isAscii(text) ? text : text.normalize('NFKC')).toLowerCase();

/** Letters whose accent cannot be removed, with their replacements. */
const otherLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
};

function withoutAccents(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]+/g, '')
    .replaceAll(/[ßøłđðæœı]/g, (letter) => otherLetters[letter] ?? letter)
    .normalize('NFC');
}

/**
 * A text without case, accents and other differences that a search ignores: `ß` becomes `ss`, a ligature its letters.
 *
 * @example
 * ```ts
 * import { foldText } from './words.ts';
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
