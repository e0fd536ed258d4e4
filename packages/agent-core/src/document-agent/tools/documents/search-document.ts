import { createLanguageDetector } from '@docwright/language/detect';
import { languageOfCode, stemOf, wordsOf } from '@docwright/language';
import { DomainError } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { PageText } from '../../context/document-block.ts';
import type { DocumentAgentServices } from '../../context/services.ts';

const maxPages = 8;
/** Length of an excerpt in UTF-16 units. */
const excerptLength = 700;
const charactersForLanguage = 4000;

export const searchDocument = defineTool({
  name: 'search_document',
  description:
    'Searches the pages of this document for words in any inflected form; numbers and names must be written as on the page. Returns the best pages first, each with an excerpt. Use it to find what your excerpt of the document lacks, then read the page with get_ocr_text.',
  effect: 'read',
  documentContent: ['hits'],
  worksOnDocument: true,
  parameters: z.object({
    query: z.string().trim().min(1).max(500).describe('The words to look for, such as "termination notice period".'),
  }),
  summarize: ({ query }) => `Search the document for “${query.length > 60 ? `${query.slice(0, 60)}…` : query}”`,
  execute: async (
    { services: { document, documents } }: ToolContext<Pick<DocumentAgentServices, 'document' | 'documents'>>,
    { query },
  ) => {
    const { pageCount, found } = await searchPages(documents.eachText(document.id), query);
    if (pageCount === 0) {
      const { state, state_error } = await documents.get(document.id);
      const reason = state_error ? `: ${state_error.message}` : '.';
      throw new DomainError(
        'conflict',
        'no_text',
        `The document has no text to search; its state is ${state}${reason}`,
      );
    }
    const hits = [];
    for (const { page_num, at, words } of found.slice(0, maxPages)) {
      const [page] = await documents.text(document.id, page_num);
      hits.push({ page_num, words, excerpt: excerptOf(page?.text ?? '', at) });
    }
    return { page_count: pageCount, pages_found: found.length, hits };
  },
});

interface FoundPage {
  page_num: number;
  score: number;
  /** Offset of the place where the words are closest together. */
  at: number;
  /** The words of the query on the page. */
  words: string[];
}

let detect: ReturnType<typeof createLanguageDetector> | undefined;

/**
 * Finds the pages with words of a query, best first. Rare words count more than frequent ones, and close words more than
 * distant ones. `page 340` in a query also finds that page. Pages are read one by one, and only the places of the words
 * are stored.
 */
export async function searchPages(
  pages: AsyncIterable<PageText> | Iterable<PageText>,
  query: string,
): Promise<{ pageCount: number; found: FoundPage[] }> {
  let pageCount = 0;
  let sample = '';
  /** Pages that are read before the language is known. */
  let first: PageText[] | undefined = [];
  let reading = createWordCollector(query, '');
  for await (const page of pages) {
    pageCount += 1;
    if (first === undefined) {
      reading.add(page);
      continue;
    }
    sample += `${page.text}\n`;
    first.push(page);
    if (sample.length < charactersForLanguage) continue;
    reading = createWordCollector(query, sample);
    for (const earlier of first) reading.add(earlier);
    first = undefined;
  }
  if (first) {
    reading = createWordCollector(query, sample);
    for (const earlier of first) reading.add(earlier);
  }
  return { pageCount, found: reading.found(pageCount) };
}

/** Collects the places of a query's words: for each place the word's index and its offset. */
function createWordCollector(query: string, sample: string) {
  const language =
    languageOfCode((detect ??= createLanguageDetector())(sample.slice(0, charactersForLanguage)) ?? '') ?? 'none';
  const wanted = new Map(Array.from(wordsOf(query), ({ text }) => [stemOf(text, language), text] as const));
  const stems = [...wanted.keys()];
  const indexOf = new Map(stems.map((stem, index) => [stem, index]));
  const named = /\bpage\s+(\d{1,6})\b/iu.exec(query)?.[1];
  const places: { page_num: number; packed: Uint32Array }[] = [];
  return {
    add({ page_num, text }: PageText): void {
      const packed: number[] = [];
      for (const { text: word, start } of wordsOf(text)) {
        const index = indexOf.get(stemOf(word, language));
        if (index !== undefined) packed.push(index, start);
      }
      if (packed.length > 0 || page_num === Number(named)) places.push({ page_num, packed: Uint32Array.from(packed) });
    },
    found(pageCount: number): FoundPage[] {
      const pagesWith = stems.map((_, index) => places.filter(({ packed }) => stemsIn(packed).has(index)).length);
      const weightOf = (index: number): number => Math.log(1 + pageCount / (pagesWith[index] || 1));
      return places
        .map(({ page_num, packed }): FoundPage => {
          const indexes = [...stemsIn(packed)];
          const closest = closestWords(packed, weightOf);
          const isNamed = page_num === Number(named);
          const score = indexes.reduce((sum, index) => sum + weightOf(index), 0) + closest.score + (isNamed ? 1000 : 0);
          return { page_num, score, at: closest.at, words: indexes.map((index) => wanted.get(stems[index]!)!) };
        })
        .sort((a, b) => b.score - a.score);
    },
  };
}

function stemsIn(packed: Uint32Array): Set<number> {
  return new Set(packed.filter((_, at) => at % 2 === 0));
}

/** The window of an excerpt with the highest sum of word weights. */
function closestWords(packed: Uint32Array, weightOf: (index: number) => number): { at: number; score: number } {
  let best = { at: 0, score: 0 };
  let first = 0;
  const within = new Map<number, number>();
  for (let place = 0; place < packed.length; place += 2) {
    const [word, start] = [packed[place]!, packed[place + 1]!];
    within.set(word, (within.get(word) ?? 0) + 1);
    for (; start - packed[first + 1]! > excerptLength / 2; first += 2) {
      const left = packed[first]!;
      const count = within.get(left)! - 1;
      if (count === 0) within.delete(left);
      else within.set(left, count);
    }
    const score = [...within.keys()].reduce((sum, each) => sum + weightOf(each), 0);
    if (score > best.score) best = { at: packed[first + 1]!, score };
  }
  return best;
}

function excerptOf(text: string, at: number): string {
  const from = Math.max(0, at - Math.floor(excerptLength / 4));
  const cut = text.slice(from, from + excerptLength);
  return `${from > 0 ? '…' : ''}${cut.trim()}${from + excerptLength < text.length ? '…' : ''}`;
}
