import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { PipelineAgentServices } from '../services.ts';

export const applyPipeline = defineTool({
  name: 'apply_pipeline',
  description:
    'Asks the person to apply the pipeline that was built, under this name, in an answer after the one that built it. Your message ends with it; the person applies it or goes on talking.',
  effect: 'read_write',
  // Strict: an override is the person's alone, and one that a model sends is refused rather than left out.
  parameters: z.strictObject({ collection_name: z.string().trim().min(1).max(200) }),
  summarize: ({ collection_name }) => `Apply the pipeline as the collection “${collection_name}”`,
  execute: async ({ services }: ToolContext<PipelineAgentServices>, { collection_name }) =>
    services.conversation.apply(collection_name),
});
