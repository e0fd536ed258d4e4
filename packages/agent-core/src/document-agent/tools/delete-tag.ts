import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';
import { everyPage } from './every-page.ts';
import { idParameter } from './list-parameters.ts';

type Services = Pick<DocumentAgentServices, 'tags' | 'documents' | 'prompts'>;

export const deleteTag = defineTool({
  name: 'delete_tag',
  description: 'Deletes a tag. Refused while a document or a current prompt carries it: take it off those first.',
  effect: 'read_write',
  parameters: z.object({ tag_id: idParameter('The tag’s id.') }),
  summarize: () => 'Delete a tag',
  preview: async ({ services: { tags, documents, prompts } }: ToolContext<Services>, { tag_id }) => {
    const { name } = await tags.get(tag_id);
    const tagged = await everyPage('documents', (query) => documents.list({ ...query, tag_ids: [tag_id] }));
    const using = await everyPage('prompts', (query) => prompts.list({ ...query, tag_ids: [tag_id] }));
    return {
      kind: 'delete',
      name,
      dependents: [
        ...tagged.map(({ id, document_name }) => ({ kind: 'document', id, name: document_name })),
        ...using.map((prompt) => ({ kind: 'prompt', id: prompt.prompt_id, name: prompt.name })),
      ],
    };
  },
  execute: async ({ services, callId }: ToolContext<Services>, { tag_id }) => {
    await services.tags.delete(tag_id, { call_id: callId });
    return { tag_id, deleted: true };
  },
});
