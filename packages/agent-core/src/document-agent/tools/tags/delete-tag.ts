import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { deletePreview } from '../shared/changes.ts';
import { idParameter } from '../shared/parameters.ts';
import { tagState } from '../shared/object-states.ts';

const firstPage = { skip: 0, limit: 25 };

type Services = Pick<DocumentAgentServices, 'tags' | 'documents' | 'prompts'>;

export const deleteTag = defineTool({
  name: 'delete_tag',
  description: 'Deletes a tag. Fails while a document or a current prompt has it: remove it from those first.',
  effect: 'delete',
  isFurther: true,
  target: 'tag_id',
  argumentRoles: {},
  parameters: z.object({ tag_id: idParameter('The tag’s id.') }),
  summarize: () => 'Delete a tag',
  preview: async ({ services: { tags, documents, prompts } }: ToolContext<Services>, { tag_id }) => {
    const { name } = await tags.get(tag_id);
    const tagged = await documents.list({ ...firstPage, tag_ids: [tag_id], exact_count: true });
    const using = await prompts.list({ ...firstPage, tag_ids: [tag_id] });
    return deletePreview(
      name,
      [
        ...tagged.documents.map(({ id, document_name }) => ({ kind: 'document', id, name: document_name })),
        ...using.prompts.map((prompt) => ({ kind: 'prompt', id: prompt.prompt_id, name: prompt.name })),
      ],
      using.total_count + tagged.total_count,
    );
  },
  baseline: async ({ services }: ToolContext<Services>, { tag_id }) => [tagState(await services.tags.get(tag_id))],
  execute: async ({ services, origin }: ToolContext<Services>, { tag_id }) => {
    await services.tags.delete(tag_id, origin);
    return { tag_id, deleted: true };
  },
});
