import { pipeline } from '@docwright/contract';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { PipelineAgentServices } from '../services.ts';

export const buildPipeline = defineTool({
  name: 'build_pipeline',
  description:
    'Keeps this pipeline as the proposal of the conversation, in place of the one before, and shows it to the person. Applies nothing. Gives the pipeline complete with the defaults of each config.',
  effect: 'read_write',
  parameters: pipeline,
  summarize: () => 'Propose a pipeline',
  execute: async ({ services }: ToolContext<PipelineAgentServices>, given) => ({
    current_pipeline: await services.conversation.build(given),
  }),
});
