import { createLanguageDetector } from '@docwright/language/detect';
import type { RecognizedWord } from './recognized-word.ts';

/** Languages with installed data, by Tesseract's codes. */
export type OcrLanguage = 'eng' | 'deu' | 'fra' | 'ita' | 'spa';

const languages: Readonly<Record<string, OcrLanguage>> = { en: 'eng', de: 'deu', fr: 'fra', it: 'ita', es: 'spa' };

/** Words of less confidence are not used to detect the language. */
const minConfidence = 0.5;

const detect = createLanguageDetector(Object.keys(languages));

/** The language of the words; undefined if the confident ones do not determine it. */
export function languageOf(words: readonly RecognizedWord[]): OcrLanguage | undefined {
  const confident = words.filter((word) => word.confidence >= minConfidence).map((word) => word.text);
  const language = detect(confident.join(' '));
  return language === undefined ? undefined : languages[language];
}
