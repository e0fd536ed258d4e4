import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';

export const docx = defineParser({
  id: 'docx',
  name: 'Word documents',
  description: 'DOCX, ODT, RTF, PPTX and ODP: paragraphs, tables, headers, footers and slides.',
  reads: [
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.oasis.opendocument.text',
    'application/rtf',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    'application/vnd.oasis.opendocument.presentation',
  ],
  config: z.strictObject({}),
});
