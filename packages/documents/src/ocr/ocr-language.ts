import { createLanguageDetector } from '@docwright/language/detect';
import type { RecognizedWord } from './tesseract.ts';

/** Languages whose data is there, as Tesseract calls them. */
export type OcrLanguage = 'eng' | 'deu' | 'fra' | 'ita' | 'spa';

const languages: Readonly<Record<string, OcrLanguage>> = { en: 'eng', de: 'deu', fr: 'fra', it: 'ita', es: 'spa' };

const SURE = 0.5;

const detect = createLanguageDetector(Object.keys(languages));

/** The language that the surer words are written in; undefined where they do not tell. */
export function languageOf(words: readonly RecognizedWord[]): OcrLanguage | undefined {
  const sure = words.filter((word) => word.confidence >= SURE).map((word) => word.text);
  const language = detect(sure.join(' '));
  return language === undefined ? undefined : languages[language];
}
