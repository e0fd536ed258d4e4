import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';
import { readStoredPages } from './read-stored-pages.ts';

export const docx = defineParser({
  id: 'docx',
  name: 'Word documents',
  description: 'DOCX: paragraphs, tables, headers and footers.',
  config: z.strictObject({}),
  parse: (input) => readStoredPages(input, ['application/vnd.openxmlformats-officedocument.wordprocessingml.document']),
});
