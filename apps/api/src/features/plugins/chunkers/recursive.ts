import { z } from 'zod';
import { defineChunker } from '../plugin.ts';
import { splitText } from './split-text.ts';

export const chunkSize = {
  max_characters: z.number().int().min(100).max(8000).default(1200).describe('The longest that a chunk may be.'),
  overlap: z
    .number()
    .int()
    .min(0)
    .max(1000)
    .default(150)
    .describe('Characters that a chunk repeats of the one before; at most half of max_characters counts.'),
};

export const recursive = defineChunker({
  id: 'recursive',
  name: 'By size',
  description:
    'Chunks of about the same size, cut between paragraphs, else lines, sentences or words. Suits running text of any kind.',
  config: z.strictObject(chunkSize),
  chunk: (pages, { max_characters, overlap }) =>
    pages.flatMap(({ page_num, text }) =>
      splitText(
        text,
        { start: 0, end: text.length },
        max_characters,
        Math.min(overlap, Math.floor(max_characters / 2) - 1),
      ).map(({ start, end }) => ({ page_num, start, end, text: text.slice(start, end) })),
    ),
});
