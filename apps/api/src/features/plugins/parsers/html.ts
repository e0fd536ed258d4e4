import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';
import { readStoredPages } from './read-stored-pages.ts';

export const html = defineParser({
  id: 'html',
  name: 'Web pages',
  description: 'HTML and MHTML: the visible text, without markup and scripts.',
  config: z.strictObject({}),
  parse: (input) => readStoredPages(input, ['text/html', 'multipart/related']),
});
