import { parseDocument } from '@docwright/documents';
import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';
import { readStoredPages, requireType, pagesWithTextOrThrow } from './read-stored-pages.ts';

const textTypes = ['text/plain', 'text/markdown', 'application/xml', 'application/json'];

export const plain = defineParser({
  id: 'plain',
  name: 'Plain text',
  description: 'TXT, Markdown, XML and JSON. Also CSV, HTML and e-mail, with all of their markup.',
  config: z.strictObject({}),
  async parse(input) {
    if (textTypes.includes(input.document.mime_type)) return await readStoredPages(input, textTypes);
    requireType(input, ['text/csv', 'text/html', 'message/rfc822']);
    const bytes = await input.bytes();
    const { pages } = await parseDocument({ bytes, mimeType: 'text/plain', signal: input.signal });
    return pagesWithTextOrThrow(pages);
  },
});
