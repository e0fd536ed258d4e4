import { z } from 'zod';
import { pageBegin } from '../tool/page-begin.ts';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import type { CollectionToolServices } from './services.ts';

export const listCollections = defineTool({
  name: 'list_collections',
  description:
    'Lists the collections of the organization, newest first. A collection is a set of documents that search_collection searches together. Returns the collection_id, name, status and number of documents of each.',
  effect: 'read',
  parameters: z.strictObject({
    ...pageBegin,
    limit: z.number().int().min(1).max(100).default(20).describe('The number of entries to return, at most 100.'),
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
