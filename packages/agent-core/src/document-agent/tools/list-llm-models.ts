import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';

export const listLlmModels = defineTool({
  name: 'list_llm_models',
  description: 'Lists the models that a prompt may name, and which is the default.',
  effect: 'read_only',
  parameters: z.object({}),
  summarize: () => 'List models',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'models'>>) => ({
    models: await services.models.list(),
  }),
});
