import { knowledgeOf, type TextLanguage } from './text-language.ts';

/** A word of a text, or a character of a script without spaces. */
export interface Word {
  text: string;
  /** UTF-16 units of the text. */
  start: number;
  end: number;
  isCharacter: boolean;
}

const wordPattern =
  /([[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&\p{L}]\p{M}*)|[[\p{L}\p{M}\p{N}\p{Co}]--[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&\p{L}]]+/gv;

export function* wordsOf(text: string): Generator<Word, void, undefined> {
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
const maxKept = 50_000;
const kept = new Map<TextLanguage, Map<string, string>>();

/** The common part of a word's forms, without case and accents. */
export function stemOf(text: string, language: TextLanguage): string {
  if (text.length > maxStemmedLength) return withoutAccents(lowerCase(text));
  let stems = kept.get(language);
  if (!stems) kept.set(language, (stems = new Map()));
  const known = stems.get(text);
  if (known !== undefined) return known;
  // A copy: a substring keeps the whole string in memory.
  const word = Buffer.from(text, 'utf16le').toString('utf16le');
  // Accents are removed last, because the stemming rules of a language need them.
  const stem = withoutAccents(knowledgeOf(language).stem(lowerCase(word)));
  if (stems.size >= maxKept) stems.clear();
  stems.set(word, stem);
  return stem;
}

export const isStopWord = (text: string, language: TextLanguage): boolean =>
  knowledgeOf(language).stopWords.has(lowerCase(text));

/** The stems of a text in order, separated by spaces. */
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
