import { DomainError } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { PipelineAgentServices } from '../services.ts';

export const getPluginDetails = defineTool({
  name: 'get_plugin_details',
  description: 'One plugin with the JSON Schema of its config; the extractor also with the prompts that it can run.',
  effect: 'read_only',
  parameters: z.strictObject({ plugin_id: z.string().min(1).max(60) }),
  summarize: ({ plugin_id }) => `Look at the plugin ${plugin_id}`,
  execute: async ({ services }: ToolContext<PipelineAgentServices>, { plugin_id }) => {
    const plugins = services.plugins();
    const found = plugins.find(({ id }) => id === plugin_id);
    if (found?.kind === 'extractor') return { ...found, prompts: await services.prompts() };
    if (found !== undefined) return found;
    const known = plugins.map(({ id }) => id).join(', ');
    throw new DomainError('invalid', 'unknown_plugin', `There is no plugin "${plugin_id}". There are: ${known}.`);
  },
});
