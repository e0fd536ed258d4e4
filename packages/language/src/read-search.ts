import type { TextLanguage } from './text-language.ts';
import { isStopWord, stemOf, wordsOf, type Word } from './words.ts';

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
