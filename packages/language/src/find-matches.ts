import type { TextLanguage } from './text-language.ts';
import { stemOf, wordsOf, type Word, isStopWord } from './words.ts';

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

/** Stems that must follow each other. */
export interface SearchPart {
  /** One of the words and every phrase are required; an excluded word is forbidden. */
  kind: 'word' | 'phrase' | 'unwanted';
  stems: string[];
}

/**
 * Parses a search of MongoDB's `$text` in one language: words are alternatives, `"a phrase"` is required, `-word`
 * excludes. Stop words count only within phrases. In a script without spaces, each pair of neighbours is a word.
 */
export function readSearch(search: string, language: TextLanguage): SearchPart[] {
  const parts = new Map<string, SearchPart>();
  const add = (kind: SearchPart['kind'], stems: string[]) => {
    if (stems.length > 0) parts.set(`${kind} ${stems.join(' ')}`, { kind, stems });
  };
  for (const [, minus, quoted, plain] of search.matchAll(/(?<![^\s"])(-?)(?:"([^"]*)"|([^\s"]+))/gu)) {
    const words = [...wordsOf(quoted ?? plain ?? '')];
    const stems = words.map(({ text }) => stemOf(text, language));
    if (minus) add('unwanted', stems);
    else {
      if (quoted !== undefined) add('phrase', stems);
      for (const run of runsOf(words)) {
        if (!run[0]?.isCharacter && isStopWord(run[0]?.text ?? '', language)) continue;
        add(
          'word',
          run.map(({ text }) => stemOf(text, language)),
        );
      }
    }
  }
  return [...parts.values()];
}

/** Words only; characters in pairs, or a single one alone. */
function runsOf(words: readonly Word[]): Word[][] {
  return words.flatMap((word, at) => {
    if (!word.isCharacter) return [[word]];
    const next = words[at + 1];
    if (next && continues(word, next)) return [[word, next]];
    const last = words[at - 1];
    return last && continues(last, word) ? [] : [[word]];
  });
}

const continues = (word: Word, next: Word): boolean => word.isCharacter && next.isCharacter && next.start === word.end;
