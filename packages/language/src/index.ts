export { findMatches, type TextRange } from './find-matches.ts';
export { readSearch, type SearchPart } from './read-search.ts';
export { languageNamed, languageOfCode, type TextLanguage } from './text-language.ts';
export { stemOf, stemsOf, wordsOf } from './words.ts';
