export { findMatches, type TextRange, readSearch, type SearchPart } from './find-matches.ts';
export { foldText, searchTerms } from './search-terms.ts';
export { languageNamed, languageOfCode, type TextLanguage } from './text-language.ts';
export { isStopWord, stemOf, stemsOf, wordsOf } from './words.ts';
