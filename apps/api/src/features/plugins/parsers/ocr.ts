import { pictureTypes } from '@docwright/contract';
import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';
import { readStoredPages } from './read-stored-pages.ts';

export const ocr = defineParser({
  id: 'ocr',
  name: 'OCR',
  description:
    'Reads images and scans by text recognition, and the text layer of PDF pages that have one. Recognition runs once, at the upload.',
  config: z.strictObject({}),
  parse: (input) => readStoredPages(input, ['application/pdf', ...pictureTypes]),
});
