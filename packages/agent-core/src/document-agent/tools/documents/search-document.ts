import { createLanguageDetector } from '@docwright/language/detect';
import { languageOfCode, stemOf, wordsOf } from '@docwright/language';
import { DomainError } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { PageText } from '../../context/document-block.ts';
import type { DocumentAgentServices } from '../../context/services.ts';

const maxPages = 8;
/** UTF-16 units around the words that were found. */
const excerptLength = 700;
const charactersForLanguage = 4000;

export const searchDocument = defineTool({
  name: 'search_document',
  description:
    'Finds the pages of this document that hold words, in any form, the best first, with an excerpt of each. For what the excerpt in the prompt does not show: search, then read the page with get_ocr_text. A number or name in the query is found as it is written.',
  effect: 'read_only',
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
    const pages = await documents.text(document.id);
    if (pages.length === 0) {
      const { state, state_error } = await documents.get(document.id);
      const reason = state_error ? `: ${state_error.message}` : '.';
      throw new DomainError(
        'conflict',
        'no_text',
        `The document has no text to search; its state is ${state}${reason}`,
      );
    }
    const found = searchPages(pages, query);
    const hits = found.slice(0, maxPages).map(({ page, at, words }) => ({
      page_num: page.page_num,
      words,
      excerpt: excerptOf(page.text, at),
    }));
    return { page_count: pages.length, pages_found: found.length, hits };
  },
});

interface Found {
  page: PageText;
  score: number;
  /** Where the words stand closest together. */
  at: number;
  /** Those of the query that the page holds. */
  words: string[];
}

let detect: ReturnType<typeof createLanguageDetector> | undefined;

/**
 * The pages that hold words of a query, the best first: rare words count more, and words that stand close together more
 * than words far apart. `page 340` in a query finds that page by its number.
 */
export function searchPages(pages: readonly PageText[], query: string): Found[] {
  const sample = pages
    .map(({ text }) => text)
    .join('\n')
    .slice(0, charactersForLanguage);
  const language = languageOfCode((detect ??= createLanguageDetector())(sample) ?? '') ?? 'none';
  const wanted = new Map(Array.from(wordsOf(query), ({ text }) => [stemOf(text, language), text] as const));
  const named = /\bpage\s+(\d{1,6})\b/iu.exec(query)?.[1];
  const places = pages.map(({ text }) => {
    const found: { stem: string; start: number }[] = [];
    for (const { text: word, start } of wordsOf(text)) {
      const stem = stemOf(word, language);
      if (wanted.has(stem)) found.push({ stem, start });
    }
    return found;
  });
  const pagesWith = new Map<string, number>();
  for (const found of places) {
    for (const stem of new Set(found.map((each) => each.stem))) pagesWith.set(stem, (pagesWith.get(stem) ?? 0) + 1);
  }
  const weightOf = (stem: string): number => Math.log(1 + pages.length / (pagesWith.get(stem) ?? 1));
  return pages
    .map((page, index): Found => {
      const found = places[index]!;
      const stems = [...new Set(found.map(({ stem }) => stem))];
      const closest = closestWords(found, weightOf);
      const isNamed = named !== undefined && page.page_num === Number(named);
      const score = stems.reduce((sum, stem) => sum + weightOf(stem), 0) + closest.score + (isNamed ? 1000 : 0);
      return { page, score, at: closest.at, words: stems.map((stem) => wanted.get(stem)!) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

/** The window of an excerpt that holds the most of the words, by their weights. */
function closestWords(
  found: readonly { stem: string; start: number }[],
  weightOf: (stem: string) => number,
): { at: number; score: number } {
  let best = { at: 0, score: 0 };
  let first = 0;
  const within = new Map<string, number>();
  for (const { stem, start } of found) {
    within.set(stem, (within.get(stem) ?? 0) + 1);
    for (; start - found[first]!.start > excerptLength / 2; first += 1) {
      const left = found[first]!.stem;
      const count = within.get(left)! - 1;
      if (count === 0) within.delete(left);
      else within.set(left, count);
    }
    const score = [...within.keys()].reduce((sum, each) => sum + weightOf(each), 0);
    if (score > best.score) best = { at: found[first]!.start, score };
  }
  return best;
}

function excerptOf(text: string, at: number): string {
  const from = Math.max(0, at - Math.floor(excerptLength / 4));
  const cut = text.slice(from, from + excerptLength);
  return `${from > 0 ? '…' : ''}${cut.trim()}${from + excerptLength < text.length ? '…' : ''}`;
}
