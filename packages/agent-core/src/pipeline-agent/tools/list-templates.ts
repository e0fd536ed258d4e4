import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { PipelineAgentServices } from '../services.ts';

export const listTemplates = defineTool({
  name: 'list_templates',
  description:
    'Whole pipelines to begin with, each with the sources that it is for. build_pipeline takes them as they are.',
  effect: 'read_only',
  parameters: z.strictObject({}),
  summarize: () => 'Look at the templates',
  execute: async ({ services }: ToolContext<PipelineAgentServices>) => ({ templates: services.templates() }),
});
