import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';
import { readStoredPages } from './read-stored-pages.ts';

export const email = defineParser({
  id: 'email',
  name: 'E-mail',
  description: 'EML and MSG: sender, recipients, subject, date and the body.',
  config: z.strictObject({}),
  parse: (input) => readStoredPages(input, ['message/rfc822', 'application/vnd.ms-outlook']),
});
