import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';
import { idParameter, listParameters, tagIdsParameter } from './list-parameters.ts';
import { promptReference } from './prompt-reference.ts';

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
