import { pictureTypes } from '@docwright/contract';
import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';

export const ocr = defineParser({
  id: 'ocr',
  name: 'OCR',
  description:
    'Reads images and scans by text recognition, and the text layer of PDF pages that have one. Recognition runs once, at the upload.',
  reads: pictureTypes,
  alsoReads: ['application/pdf'],
  config: z.strictObject({}),
});
