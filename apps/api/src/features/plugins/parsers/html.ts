import { z } from 'zod';
import { defineParser } from '../definition/plugin.ts';

export const html = defineParser({
  id: 'html',
  name: 'Web pages',
  description: 'HTML and MHTML: the visible text, without markup and scripts.',
  reads: ['text/html', 'multipart/related'],
  config: z.strictObject({}),
});
