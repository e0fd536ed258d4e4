import type { FeatureFlags } from '@docwright/contract';
import type { AgentProfile } from '../loop/agent-profile.ts';
import type { SchemaChatServices } from './services.ts';
import { schemaChatRules, schemaChatTail } from './system-prompt.ts';
import { offeredOf, schemaChatToolsetFor } from './toolset.ts';

/** The profile of the schema designer. Its caller stores the history and the columns. */
export function createSchemaChatProfile(
  limits: AgentProfile<SchemaChatServices>['limits'],
  flags: FeatureFlags = {},
): AgentProfile<SchemaChatServices> {
  const tools = schemaChatToolsetFor(flags);
  const offered = offeredOf(tools);
  return {
    name: 'schema-chat',
    tools,
    limits,
    offered: async () => offered,
    callsAreIndependent: true,
    buildSystemPrompt: async () => schemaChatRules,
    buildTail: async ({ services, history }) => schemaChatTail(services.project, history),
  };
}
