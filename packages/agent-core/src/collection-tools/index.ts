import type { AgentProfile } from '../loop/agent-profile.ts';
import { createToolset } from '../tool/toolset.ts';
import { listCollections } from './list-collections.ts';
import { queryResults } from './query-results.ts';
import { searchCollection } from './search-collection.ts';
import type { CollectionToolServices } from './services.ts';

/** The tools over many documents, for callers with a model of their own. */
export const collectionTools = createToolset<CollectionToolServices>([listCollections, searchCollection, queryResults]);

/** The profile for calls over MCP. The product's own models do not get these tools. */
export const collectionProfile: AgentProfile<CollectionToolServices> = {
  name: 'collections',
  tools: collectionTools,
  limits: { maxRounds: 1, timeoutMs: 60_000 },
  buildSystemPrompt: async () => '',
};
