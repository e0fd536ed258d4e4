export { findMatches, type TextRange, readSearch, type SearchPart } from './find-matches.ts';
export { searchTerms, searchTermsInTurns } from './search-terms.ts';
export { languageNamed, languageOfCode, type TextLanguage } from './text-language.ts';
export { foldText, isStopWord, stemOf, stemsOf, wordsOf } from './words.ts';
export { detectKind, type DetectedKind, kindNamed, nameOfKind, openKinds } from './detect-kind.ts';
export type { DocumentKind } from './kind-names.ts';
