import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import { cutAtCharacter } from '../../context/document-block.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { idParameter, listParameters, tagIdsParameter } from '../shared/parameters.ts';
import { pageReference, promptReference } from '../shared/references.ts';

export const getPrompt = defineTool({
  name: 'get_prompt',
  description: 'Reads one prompt revision. Returns its full content, linked schema, model and tags.',
  effect: 'read',
  // A document can have dictated it in an earlier conversation.
  documentContent: ['content'],
  isFurther: true,
  parameters: z.object({ prompt_revid: idParameter('The revision id (prompt_revid, not prompt_id).') }),
  summarize: () => 'Read a prompt',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'prompts'>>, { prompt_revid }) => {
    const { created_at: _at, created_by: _by, ...prompt } = await services.prompts.get(prompt_revid);
    return prompt;
  },
});

export const listPrompts = defineTool({
  name: 'list_prompts',
  description:
    'Lists the prompts of the organization. Returns the ids, version, linked schema, tags and first line of each.',
  effect: 'read',
  documentContent: ['about'],
  isFurther: true,
  parameters: z.object({
    ...listParameters,
    document_id: idParameter('Returns only prompts that apply to this document.').optional(),
    tag_ids: tagIdsParameter('Returns only prompts that have these tags.').optional(),
  }),
  summarize: () => 'List prompts',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'prompts'>>, query) => {
    const { prompts, ...page } = await services.prompts.list(query);
    return {
      prompts: prompts.map((prompt) => ({
        ...promptReference(prompt),
        schema_id: prompt.schema_id,
        schema_revid: prompt.schema_revid,
        newest_schema_version: prompt.newest_schema_version,
        model: prompt.model,
        ...(prompt.tag_ids.length > 0 && { tag_ids: prompt.tag_ids }),
        about: cutAtCharacter(prompt.content.split('\n')[0] ?? '', 120),
      })),
      ...pageReference(page),
    };
  },
});

export const listLlmModels = defineTool({
  name: 'list_llm_models',
  description: 'Lists the models that a prompt can use, and the default model.',
  effect: 'read',
  isFurther: true,
  parameters: z.object({}),
  summarize: () => 'List models',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'models'>>) => ({
    models: await services.models.list(),
  }),
});
