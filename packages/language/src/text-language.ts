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

interface Knowledge {
  /** ISO 639-1. */
  code: string;
  stem: (word: string) => string;
  stopWords: ReadonlySet<string>;
}

const knowledge = (code: string, stem: (word: string) => string, stopWords: readonly string[]): Knowledge => ({
  code,
  stem,
  stopWords: new Set(stopWords),
});

/** The languages of MongoDB's text indexes, by MongoDB's names; `none` neither stems nor drops words. */
const languages = {
  danish: knowledge('da', danish, danishStopWords),
  dutch: knowledge('nl', dutch, dutchStopWords),
  english: knowledge('en', english, englishStopWords),
  finnish: knowledge('fi', finnish, finnishStopWords),
  french: knowledge('fr', french, frenchStopWords),
  german: knowledge('de', german, germanStopWords),
  hungarian: knowledge('hu', hungarian, hungarianStopWords),
  italian: knowledge('it', italian, italianStopWords),
  norwegian: knowledge('nb', norwegian, norwegianStopWords),
  portuguese: knowledge('pt', portuguese, portugueseStopWords),
  romanian: knowledge('ro', romanian, romanianStopWords),
  russian: knowledge('ru', russian, russianStopWords),
  spanish: knowledge('es', spanish, spanishStopWords),
  swedish: knowledge('sv', swedish, swedishStopWords),
  turkish: knowledge('tr', turkish, turkishStopWords),
  none: knowledge('none', (word) => word, []),
};

export type TextLanguage = keyof typeof languages;

const isTextLanguage = (name: string): name is TextLanguage => Object.hasOwn(languages, name);

const byCode = new Map(Object.entries(languages).map(([name, { code }]) => [code, name as TextLanguage]));

/** The language for a name or code of MongoDB; undefined for an unknown one. */
export const languageNamed = (name: string): TextLanguage | undefined =>
  isTextLanguage(name) ? name : byCode.get(name);

/** The language for an ISO 639-1 code; undefined when text indexes do not support it. */
export const languageOfCode = (code: string): TextLanguage | undefined =>
  byCode.get(code === 'no' || code === 'nn' ? 'nb' : code);

export const knowledgeOf = (language: TextLanguage): Knowledge => languages[language];
