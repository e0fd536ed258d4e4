import { z } from 'zod';
import type { Plugin } from './definition/plugin.ts';

/** A pipeline names it in `extract`. */
export const promptExtractor: Plugin = {
  id: 'prompt_extractor',
  kind: 'extractor',
  name: 'Fields by a prompt',
  description:
    'Runs a prompt with its schema on each document without a result of that prompt, stores the result with the document, and makes the fields searchable beside the text. Costs one model call for each document.',
  config: z.strictObject({ prompt_revid: z.string().describe('The revision of the prompt.') }),
};
