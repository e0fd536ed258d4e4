import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';
import { listParameters } from './list-parameters.ts';
import { tagReference } from './tag-reference.ts';

export const listTags = defineTool({
  name: 'list_tags',
  description: 'Lists the tags of the organization with their ids.',
  effect: 'read_only',
  parameters: z.object(listParameters),
  summarize: () => 'List tags',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'tags'>>, query) => {
    const { tags, total_count, skip, limit } = await services.tags.list(query);
    return { tags: tags.map(tagReference), total_count, skip, limit };
  },
});
