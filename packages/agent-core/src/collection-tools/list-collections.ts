import { z } from 'zod';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import type { CollectionToolServices } from './services.ts';

export const listCollections = defineTool({
  name: 'list_collections',
  description:
    'Lists the organization’s collections, the newest first: many documents that can be searched together with search_collection. Gives each one’s collection_id, name, status and how many documents it holds.',
  effect: 'read',
  parameters: z.strictObject({
    skip: z.number().int().min(0).default(0).describe('How many to leave out from the start.'),
    limit: z.number().int().min(1).max(100).default(20).describe('How many to return, at most 100.'),
  }),
  summarize: () => 'List collections',
  async execute({ services }: ToolContext<CollectionToolServices>, page) {
    const { collections, ...counts } = await services.collections.list(page);
    return {
      collections: collections.map(({ id, name, status, search, progress }) => ({
        collection_id: id,
        name,
        status,
        documents: progress.indexed,
        failed_documents: progress.failed,
        finds_by_meaning: search.vectors,
      })),
      ...counts,
    };
  },
});
