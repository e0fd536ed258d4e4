import { z } from 'zod';
import { defineChunker } from '../definition/plugin.ts';
import { splitText } from './split-text.ts';

export const chunkSize = {
  max_characters: z.number().int().min(100).max(8000).default(1200).describe('The maximum length of a chunk.'),
  overlap: z
    .number()
    .int()
    .min(0)
    .max(1000)
    .default(150)
    .describe('Characters of the previous chunk that a chunk repeats; at most half of max_characters.'),
};

/** The overlap in use: less than half of a chunk, so that each chunk adds text. */
export function limitedOverlap(overlap: number, maxCharacters: number): number {
  return Math.min(overlap, Math.floor(maxCharacters / 2) - 1);
}

export const recursive = defineChunker({
  id: 'recursive',
  name: 'By size',
  description:
    'Chunks of about the same size, cut between paragraphs, else lines, sentences or words. Suits running text of any kind.',
  config: z.strictObject(chunkSize),
  chunk: (pages, { max_characters, overlap }) =>
    pages.flatMap(({ page_num, text }) =>
      splitText(text, { start: 0, end: text.length }, max_characters, limitedOverlap(overlap, max_characters)).map(
        ({ start, end }) => ({ page_num, start, end, text: text.slice(start, end) }),
      ),
    ),
});
