import { z } from 'zod';
import type { Plugin } from './plugin.ts';

/** Named by `extract` of a pipeline. */
export const promptExtractor: Plugin = {
  id: 'prompt_extractor',
  kind: 'extractor',
  name: 'Fields by a prompt',
  description:
    'Runs a prompt, with its schema, on each document that has no result of it yet, stores the result with the document, and makes the fields searchable beside the text. Costs a model call a document.',
  config: z.strictObject({ prompt_revid: z.string().describe('The revision of the prompt.') }),
};
