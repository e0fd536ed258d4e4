import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stopwords as danishStopWords } from '@orama/stopwords/danish';
import { stopwords as dutchStopWords } from '@orama/stopwords/dutch';
import { stopwords as englishStopWords } from '@orama/stopwords/english';
import { stopwords as finnishStopWords } from '@orama/stopwords/finnish';
import { stopwords as frenchStopWords } from '@orama/stopwords/french';
import { stopwords as germanStopWords } from '@orama/stopwords/german';
import { stopwords as hungarianStopWords } from '@orama/stopwords/hungarian';
import { stopwords as italianStopWords } from '@orama/stopwords/italian';
import { stopwords as norwegianStopWords } from '@orama/stopwords/norwegian';
import { stopwords as portugueseStopWords } from '@orama/stopwords/portuguese';
import { stopwords as romanianStopWords } from '@orama/stopwords/romanian';
import { stopwords as russianStopWords } from '@orama/stopwords/russian';
import { stopwords as spanishStopWords } from '@orama/stopwords/spanish';
import { stopwords as swedishStopWords } from '@orama/stopwords/swedish';
import { stopwords as turkishStopWords } from '@orama/stopwords/turkish';

/** The rules of a language. */
interface LanguageRules {
  /** ISO 639-1. */
  code: string;
  stem: (word: string) => string;
  stopWords: ReadonlySet<string>;
}

const rules = (code: string, stem: (word: string) => string, stopWords: readonly string[]): LanguageRules => ({
  code,
  stem,
  stopWords: new Set(stopWords),
});

/** The languages of MongoDB's text indexes, by MongoDB's names. `none` neither stems nor ignores words. */
const languages = {
  danish: rules('da', danish, danishStopWords),
  dutch: rules('nl', dutch, dutchStopWords),
  english: rules('en', english, englishStopWords),
  finnish: rules('fi', finnish, finnishStopWords),
  french: rules('fr', french, frenchStopWords),
  german: rules('de', german, germanStopWords),
  hungarian: rules('hu', hungarian, hungarianStopWords),
  italian: rules('it', italian, italianStopWords),
  norwegian: rules('nb', norwegian, norwegianStopWords),
  portuguese: rules('pt', portuguese, portugueseStopWords),
  romanian: rules('ro', romanian, romanianStopWords),
  russian: rules('ru', russian, russianStopWords),
  spanish: rules('es', spanish, spanishStopWords),
  swedish: rules('sv', swedish, swedishStopWords),
  turkish: rules('tr', turkish, turkishStopWords),
  none: rules('none', (word) => word, []),
};

/** A language by its name in MongoDB. */
export type TextLanguage = keyof typeof languages;

const isTextLanguage = (name: string): name is TextLanguage => Object.hasOwn(languages, name);

const byCode = new Map(Object.entries(languages).map(([name, { code }]) => [code, name as TextLanguage]));

/**
 * The language for a name or code of MongoDB; undefined for an unknown one.
 *
 * @example
 * ```ts
 * import { languageNamed } from './text-language.ts';
 *
 * console.log(languageNamed('german'), languageNamed('de'), languageNamed('klingon')); // german german undefined
 * ```
 */
export const languageNamed = (name: string): TextLanguage | undefined =>
  isTextLanguage(name) ? name : byCode.get(name);

/**
 * The language for an ISO 639-1 code, as `createLanguageDetector` returns it; undefined if text indexes do not support it.
 *
 * @example
 * ```ts
 * import { languageOfCode } from './text-language.ts';
 *
 * console.log(languageOfCode('no'), languageOfCode('zh')); // norwegian undefined
 * ```
 */
export const languageOfCode = (code: string): TextLanguage | undefined =>
  byCode.get(code === 'no' || code === 'nn' ? 'nb' : code);

export const rulesOf = (language: TextLanguage): LanguageRules => languages[language];
