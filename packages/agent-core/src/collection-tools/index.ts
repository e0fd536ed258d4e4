import type { AgentProfile } from '../loop/agent-profile.ts';
import { createToolset } from '../tool/toolset.ts';
import { listCollections } from './list-collections.ts';
import { searchCollection } from './search-collection.ts';
import type { CollectionToolServices } from './services.ts';

/** What can be done with collections by whoever brings a model of their own. */
export const collectionTools = createToolset<CollectionToolServices>([listCollections, searchCollection]);

/** For calls over MCP: the product offers these tools to none of its own models. */
export const collectionProfile: AgentProfile<CollectionToolServices> = {
  name: 'collections',
  tools: collectionTools,
  limits: { maxRounds: 1, timeoutMs: 60_000 },
  buildSystemPrompt: async () => '',
};
