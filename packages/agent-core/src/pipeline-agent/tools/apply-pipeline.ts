import { DomainError } from '@docwright/contract';
import { z } from 'zod';
import { defineTool } from '../../tool/tool.ts';

export const applyPipeline = defineTool({
  name: 'apply_pipeline',
  description:
    'Asks the person to apply the pipeline that was built, under this name, in an answer after the one that built it. Your message ends with it; the person applies it or goes on talking.',
  effect: 'read_write',
  // Strict: an override is the person's alone, and one that a model sends is refused rather than left out.
  parameters: z.strictObject({ collection_name: z.string().trim().min(1).max(200) }),
  summarize: ({ collection_name }) => `Apply the pipeline as the collection “${collection_name}”`,
  // There is nothing behind it that could apply: the person does, by a request of their own.
  execute: async () => {
    throw new DomainError('forbidden', 'person_applies', 'Only the person can apply the pipeline.');
  },
});
