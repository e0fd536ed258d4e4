import type { AgentProfile } from '../loop/agent-profile.ts';
import type { SchemaChatServices } from './services.ts';
import { schemaChatRules, schemaChatTail } from './system-prompt.ts';
import { schemaChatToolset } from './toolset.ts';

/** The agent that designs the columns of a schema; its caller holds the history and the columns. */
export function createSchemaChatProfile(
  limits: AgentProfile<SchemaChatServices>['limits'],
): AgentProfile<SchemaChatServices> {
  return {
    name: 'schema-chat',
    tools: schemaChatToolset,
    limits,
    callsAreIndependent: true,
    buildSystemPrompt: async () => schemaChatRules,
    buildTail: async ({ services, history }) => schemaChatTail(services.project, history),
  };
}
