import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';

export const email = defineParser({
  id: 'email',
  name: 'E-mail',
  description: 'EML and MSG: sender, recipients, subject, date and the body.',
  reads: ['message/rfc822', 'application/vnd.ms-outlook', 'application/pkcs7-mime', 'application/ms-tnef'],
  config: z.strictObject({}),
});
