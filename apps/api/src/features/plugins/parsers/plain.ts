import { parseDocument } from '@docwright/documents';
import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';

/** Files whose markup this parser shows; their stored pages are without it. */
const markupTypes = ['text/csv', 'text/html', 'message/rfc822'] as const;

export const plain = defineParser({
  id: 'plain',
  name: 'Plain text',
  description:
    'TXT, Markdown, XML and JSON, and the names of the files in a ZIP. Also CSV, HTML and e-mail, with all of their markup.',
  reads: ['text/plain', 'text/markdown', 'application/xml', 'application/json', 'application/zip'],
  alsoReads: markupTypes,
  config: z.strictObject({}),
  async parse(input) {
    if (!markupTypes.some((type) => type === input.document.mime_type)) return await input.storedPages();
    const bytes = await input.bytes();
    return (await parseDocument({ bytes, mimeType: 'text/plain', signal: input.signal })).pages;
  },
});
