import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';
import { idParameter } from './list-parameters.ts';

export const getPrompt = defineTool({
  name: 'get_prompt',
  description: 'Reads one prompt revision in full: content, linked schema, model and tags.',
  effect: 'read_only',
  parameters: z.object({ prompt_revid: idParameter('The revision id (prompt_revid, not prompt_id).') }),
  summarize: () => 'Read a prompt',
  execute: ({ services }: ToolContext<Pick<DocumentAgentServices, 'prompts'>>, { prompt_revid }) =>
    services.prompts.get(prompt_revid),
});
