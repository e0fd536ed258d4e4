import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { idParameter, listParameters, tagIdsParameter } from '../shared/parameters.ts';
import { promptReference } from '../shared/references.ts';

export const getPrompt = defineTool({
  name: 'get_prompt',
  description: 'Reads one prompt revision in full: content, linked schema, model and tags.',
  effect: 'read_only',
  parameters: z.object({ prompt_revid: idParameter('The revision id (prompt_revid, not prompt_id).') }),
  summarize: () => 'Read a prompt',
  execute: ({ services }: ToolContext<Pick<DocumentAgentServices, 'prompts'>>, { prompt_revid }) =>
    services.prompts.get(prompt_revid),
});

export const listPrompts = defineTool({
  name: 'list_prompts',
  description:
    'Lists the prompts of the organization, the newest revision of each, with ids, versions, linked schema and tags. With document_id: those that apply to that document by tag. get_prompt reads one in full.',
  effect: 'read_only',
  parameters: z.object({
    ...listParameters,
    document_id: idParameter('Keeps the prompts that apply to this document.').optional(),
    tag_ids: tagIdsParameter('Keeps the prompts that carry these tags.').optional(),
  }),
  summarize: () => 'List prompts',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'prompts'>>, query) => {
    const { prompts, total_count, skip, limit } = await services.prompts.list(query);
    return {
      prompts: prompts.map((prompt) => ({
        ...promptReference(prompt),
        schema_id: prompt.schema_id,
        schema_revid: prompt.schema_revid,
        model: prompt.model,
        tag_ids: prompt.tag_ids,
      })),
      total_count,
      skip,
      limit,
    };
  },
});

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
