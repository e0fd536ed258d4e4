import { z } from 'zod';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import type { DocumentAgentServices } from '../services.ts';
import { idParameter } from './list-parameters.ts';
import { tagReference } from './tag-reference.ts';

export const getTag = defineTool({
  name: 'get_tag',
  description: 'Reads one tag: name, colour and description.',
  effect: 'read_only',
  parameters: z.object({ tag_id: idParameter('The tag’s id.') }),
  summarize: () => 'Read a tag',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'tags'>>, { tag_id }) =>
    tagReference(await services.tags.get(tag_id)),
});
