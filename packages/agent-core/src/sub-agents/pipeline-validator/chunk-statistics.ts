import type { JsonObject } from '@docwright/contract';
import type { TriedDocument } from './services.ts';

/** The length of a chunk as its limit counts it: a run of blanks, as between columns, is one character. */
export function chunkLength(text: string): number {
  return text.replaceAll(/[ \t]+/g, ' ').length;
}

/** The number of chunks, their length in characters, and the shortest and longest one. */
export function chunkStatistics(documents: Iterable<TriedDocument>): JsonObject {
  const chunks = [...documents].flatMap(({ document_id, document_name, chunks: own }) =>
    own.map(({ text, page_num }) => ({ document_id, document_name, page_num, characters: chunkLength(text) })),
  );
  const sorted = chunks.toSorted((one, other) => one.characters - other.characters);
  const [shortest] = sorted;
  const longest = sorted.at(-1);
  if (shortest === undefined || longest === undefined) return { count: 0 };
  const total = sorted.reduce((sum, { characters }) => sum + characters, 0);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.characters;
  return {
    count: sorted.length,
    characters: { mean: Math.round(total / sorted.length), tenth: at(0.1), median: at(0.5), ninetieth: at(0.9) },
    shortest,
    longest,
  };
}
