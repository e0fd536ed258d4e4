import { z } from 'zod';
import { defineParser } from '../plugin.ts';
import { readStoredPages } from './read-stored-pages.ts';

export const ocr = defineParser({
  id: 'ocr',
  name: 'OCR',
  description:
    'Pictures and scans, read by recognition; pages of a PDF that have a text layer are taken from there. Recognition runs once, at the upload.',
  config: z.strictObject({}),
  parse: (input) => readStoredPages(input, ['application/pdf', 'image/png', 'image/jpeg', 'image/tiff', 'image/webp']),
});
