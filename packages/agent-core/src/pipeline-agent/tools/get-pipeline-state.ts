import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { PipelineAgentServices } from '../services.ts';

export const getPipelineState = defineTool({
  name: 'get_pipeline_state',
  description:
    'Where the conversation stands: the source, the pipeline built so far, the analysis, and all uncertainties.',
  effect: 'read_only',
  parameters: z.strictObject({}),
  summarize: () => 'Look at where things stand',
  execute: async ({ services }: ToolContext<PipelineAgentServices>) => services.conversation.state(),
});
