import type { TextLanguage } from './text-language.ts';
import { isStopWord, stemOf, wordsOf, type Word } from './words.ts';

/** Stems that have to follow each other. */
export interface SearchPart {
  /** One of the words has to be there, each phrase, and nothing that is unwanted. */
  kind: 'word' | 'phrase' | 'unwanted';
  stems: string[];
}

/**
 * What a search in MongoDB's `$text` asks for, in one language: words are alternatives, `"a phrase"` must be there, `-word`
 * may not. Stop words count within phrases alone. Of a script without spaces each two neighbours are a word.
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

/** Words alone, characters in twos; one that stands alone, alone. */
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
