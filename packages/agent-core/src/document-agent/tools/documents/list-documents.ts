import { z } from 'zod';
import { defineTool, type ToolContext } from '../../../tool/tool.ts';
import type { DocumentAgentServices } from '../../context/services.ts';
import { documentReference } from '../shared/references.ts';
import { listParameters, tagIdsParameter } from '../shared/parameters.ts';

export const listDocuments = defineTool({
  name: 'list_documents',
  description:
    'Lists the documents of the organization. Returns the id, name, state, tags and metadata of each, and the number of values that a person should check (to_check).',
  effect: 'read',
  isFurther: true,
  documentContent: ['document_name', 'metadata', 'not_read'],
  parameters: z.object({
    ...listParameters,
    tag_ids: tagIdsParameter('Returns only documents that have all of these tags.').optional(),
  }),
  summarize: () => 'List documents',
  execute: async ({ services }: ToolContext<Pick<DocumentAgentServices, 'documents'>>, query) => {
    const { documents, total_count, total_is_minimum, skip, limit, next_cursor } = await services.documents.list(query);
    const counted = { total_count, ...(total_is_minimum && { total_is_minimum }) };
    return {
      documents: documents.map(documentReference),
      ...counted,
      skip,
      limit,
      ...(next_cursor !== undefined && { next_cursor }),
    };
  },
});
