import { z } from 'zod';
import { defineChunker } from '../definition/plugin.ts';
import { splitText } from './split-text.ts';

export const page = defineChunker({
  id: 'page',
  name: 'By page',
  description: 'One chunk for each page; a long page becomes several. Suits invoices, forms and slides.',
  config: z.strictObject({
    max_characters: z.number().int().min(200).max(20_000).default(6000).describe('Longer pages are cut.'),
  }),
  chunk: (pages, { max_characters }) =>
    pages.flatMap(({ page_num, text }) =>
      splitText(text, { start: 0, end: text.length }, max_characters).map(({ start, end }) => ({
        page_num,
        start,
        end,
        text: text.slice(start, end),
      })),
    ),
});
