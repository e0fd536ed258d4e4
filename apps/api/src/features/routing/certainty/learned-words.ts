import { LruMap } from 'toad-cache';
import { documentWords, noWords, withDocument, type KindFeatures, type KindWords } from '../../auto-create/index.ts';
import type { PageRepository } from '../../documents/index.ts';

/** The words that documents share, as proposals by kind learn them. */
export type LearnedWords = ReturnType<typeof createLearnedWords>;

const maxKinds = 500;
const maxCharacters = 30_000;

export function createLearnedWords(pagesOf: (organizationId: string) => Pick<PageRepository, 'texts'>) {
  // Texts do not change, so the ids name the words.
  const learned = new LruMap<KindWords>(maxKinds);
  return {
    async of(organizationId: string, documentIds: readonly string[]): Promise<KindWords> {
      const key = [organizationId, ...documentIds].join(' ');
      const known = learned.get(key);
      if (known) return known;
      let words = noWords;
      for (const id of documentIds) {
        const own = wordsOf(await pagesOf(organizationId).texts(id));
        if (own.words.length > 0) words = withDocument(words, own);
      }
      learned.set(key, words);
      return words;
    },
  };
}

export function wordsOf(pages: readonly { text: string }[]): KindFeatures {
  let text = '';
  for (const page of pages) {
    text += `${page.text}\n`;
    if (text.length > maxCharacters) break;
  }
  return documentWords(text);
}
