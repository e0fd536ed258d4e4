import { z } from 'zod';
import type { Plugin } from './plugin.ts';

/** Every collection has it; there is nothing to choose. */
export const searchIndex: Plugin = {
  id: 'search_index',
  kind: 'index',
  name: 'Search index',
  description:
    'Finds chunks by their words always, and by vectors as well where the pipeline has an embedder; what both find is fused by rank.',
  config: z.strictObject({}),
};
