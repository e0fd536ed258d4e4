import { readSearch } from './read-search.ts';
import type { TextLanguage } from './text-language.ts';
import { stemOf, wordsOf, type Word } from './words.ts';

/** UTF-16 units of a text; `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/** The words of a text that match a search, in any form, in order and without overlaps. */
export function findMatches(text: string, search: string, language: TextLanguage): TextRange[] {
  const wanted = new Set(
    readSearch(search, language).flatMap(({ kind, stems }) => (kind === 'word' ? [stems.join(' ')] : [])),
  );
  const matches: TextRange[] = [];
  const mark = ({ start, end }: TextRange) => {
    const last = matches.at(-1);
    if (last && start < last.end) last.end = end;
    else matches.push({ start, end });
  };
  let before: (Word & { stem: string }) | undefined;
  for (const word of wordsOf(text)) {
    const stem = stemOf(word.text, language);
    if (wanted.has(stem)) mark(word);
    else if (word.isCharacter && before?.end === word.start && wanted.has(`${before.stem} ${stem}`)) {
      mark({ start: before.start, end: word.end });
    }
    before = { ...word, stem };
  }
  return matches;
}
