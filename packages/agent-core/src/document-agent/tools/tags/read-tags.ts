import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { idParameter, listParameters } from '../shared/parameters.ts';
import { tagReference } from '../shared/references.ts';

export const getTag = defineTool({
  name: 'get_tag',
  description: 'Reads one tag. Returns its name, color and description.',
  effect: 'read',
  documentContent: ['description'],
  isFurther: true,
  parameters: z.object({ tag_id: idParameter('The tag’s id.') }),
  summarize: () => 'Read a tag',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'tags'>>, { tag_id }) =>
    tagReference(await services.tags.get(tag_id)),
});

export const listTags = defineTool({
  name: 'list_tags',
  description: 'Lists the tags of the organization. Returns the id, name and color of each.',
  effect: 'read',
  documentContent: ['description'],
  isFurther: true,
  parameters: z.object(listParameters),
  summarize: () => 'List tags',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'tags'>>, query) => {
    const { tags, total_count, skip, limit, next_cursor } = await services.tags.list(query);
    const page = { total_count, skip, limit, ...(next_cursor !== undefined && { next_cursor }) };
    return { tags: tags.map(tagReference), ...page };
  },
});
