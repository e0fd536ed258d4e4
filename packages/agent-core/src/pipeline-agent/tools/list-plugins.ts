import { pluginKind } from '@docwright/contract';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { PipelineAgentServices } from '../services.ts';

export const listPlugins = defineTool({
  name: 'list_plugins',
  description: 'What a pipeline can be made of: id, kind, name and description of each plugin. Give a kind for fewer.',
  effect: 'read_only',
  parameters: z.strictObject({ kind: pluginKind.nullish() }),
  summarize: () => 'Look at the plugins',
  execute: async ({ services }: ToolContext<PipelineAgentServices>, { kind }) => ({
    plugins: services
      .plugins(kind ?? undefined)
      .map(({ id, kind: its, name, description }) => ({ id, kind: its, name, description })),
  }),
});
