import { eld } from 'eld/extrasmall';
import type { RecognizedWord } from './tesseract.ts';

/** Languages whose data is there, as Tesseract calls them. */
export type OcrLanguage = 'eng' | 'deu' | 'fra' | 'ita' | 'spa';

const languages: Readonly<Record<string, OcrLanguage>> = { en: 'eng', de: 'deu', fr: 'fra', it: 'ita', es: 'spa' };

/** Fewer letters say too little of their language. */
const FEWEST_LETTERS = 40;
const SURE = 0.5;

let isNarrowed = false;

/** The language that the surer words are written in; undefined where they do not tell. */
export function languageOf(words: readonly RecognizedWord[]): OcrLanguage | undefined {
  if (!isNarrowed) eld.setLanguageSubset(Object.keys(languages));
  isNarrowed = true;
  const text = words
    .filter((word) => word.confidence >= SURE && /^\P{N}+$/u.test(word.text))
    .map((word) => word.text)
    .join(' ');
  if (text.replaceAll(/\P{L}/gu, '').length < FEWEST_LETTERS) return undefined;
  const found = eld.detect(text);
  return found.isReliable() ? languages[found.language] : undefined;
}
