import { z } from 'zod';
import type { Plugin } from './definition/plugin.ts';

/** The index of every collection; it has no settings. */
export const searchIndex: Plugin = {
  id: 'search_index',
  kind: 'index',
  name: 'Search index',
  description:
    'Finds chunks by their words, and also by vectors if the pipeline has an embedder. The two result lists are fused by rank.',
  config: z.strictObject({}),
};
