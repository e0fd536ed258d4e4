import type { FeatureFlags } from '@docwright/contract';
import type { AgentProfile } from '../loop/agent-profile.ts';
import type { SchemaChatServices } from './services.ts';
import { schemaChatRules, schemaChatTail } from './system-prompt.ts';
import { withLocaleLines } from '../turns/locale-lines.ts';
import { offeredOf, schemaChatToolsetFor } from './toolset.ts';

/**
 * The profile of the schema designer. Its caller stores the history and the columns.
 *
 * @param flags the project's feature flags; `false` under the name of a tool withdraws the tool
 *
 * @example
 * import { createSchemaChatProfile } from '@docwright/agent-core';
 *
 * const profile = createSchemaChatProfile({ maxRounds: 10, timeoutMs: 120_000 }, { ask_questions: false });
 */
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
    buildTail: async ({ services, history, timeZone, language }) =>
      await withLocaleLines(schemaChatTail(services.project, history), { timeZone, language }, services),
  };
}
