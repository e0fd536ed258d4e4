import type { TextLanguage } from './text-language.ts';
import { stemOf, wordsOf, type TextWord, isStopWord } from './words.ts';

/** A range of a text in UTF-16 units; `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/**
 * Finds the words of a text that a search asks for, in any form. Phrases and exclusions of the search are ignored.
 *
 * @returns The ranges of the words, in order and without overlaps.
 *
 * @example
 * ```ts
 * import { findMatches } from './find-matches.ts';
 *
 * console.log(findMatches('Paid invoices', 'invoice', 'english')); // [{ start: 5, end: 13 }]
 * ```
 */
export function findMatches(text: string, search: string, language: TextLanguage): TextRange[] {
  const wanted = new Set(
    readSearch(search, language).flatMap(({ kind, stems }) => (kind === 'word' ? [stems.join(' ')] : [])),
  );
  const matches: TextRange[] = [];
  const add = ({ start, end }: TextRange) => {
    const last = matches.at(-1);
    if (last && start < last.end) last.end = end;
    else matches.push({ start, end });
  };
  let before: (TextWord & { stem: string }) | undefined;
  for (const word of wordsOf(text)) {
    const stem = stemOf(word.text, language);
    if (wanted.has(stem)) add(word);
    else if (word.isCharacter && before?.end === word.start && wanted.has(`${before.stem} ${stem}`)) {
      add({ start: before.start, end: word.end });
    }
    before = { ...word, stem };
  }
  return matches;
}

/** A part of a search: stems that follow each other. */
export interface SearchPart {
  /** A text must have one of the words and all phrases, and none of the unwanted words. */
  kind: 'word' | 'phrase' | 'unwanted';
  stems: string[];
}

/**
 * Parses a search of MongoDB's `$text` in one language: words are alternatives, `"a phrase"` is required, `-word`
 * excludes. Stop words count within phrases alone. In a script without spaces, each pair of neighbours is a word.
 *
 * @example
 * ```ts
 * import { readSearch } from './find-matches.ts';
 *
 * console.log(readSearch('the invoices -draft', 'english'));
 * // [{ kind: 'word', stems: ['invoic'] }, { kind: 'unwanted', stems: ['draft'] }]
 * ```
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

/** Each word alone; neighbouring characters of a script without spaces in pairs, and a single one alone. */
function runsOf(words: readonly TextWord[]): TextWord[][] {
  return words.flatMap((word, at) => {
    if (!word.isCharacter) return [[word]];
    const next = words[at + 1];
    if (next && continues(word, next)) return [[word, next]];
    const last = words[at - 1];
    return last && continues(last, word) ? [] : [[word]];
  });
}

const continues = (word: TextWord, next: TextWord): boolean =>
  word.isCharacter && next.isCharacter && next.start === word.end;
