import type { AgentProfile } from '../loop/agent-profile.ts';
import type { PipelineAgentServices } from './services.ts';
import { pipelineAgentRules, pipelineAgentTail } from './system-prompt.ts';
import { withLocaleLines } from '../turns/locale-lines.ts';
import { pipelineAgentTools } from './pipeline-tools.ts';

/**
 * The profile of the pipeline agent: it builds a pipeline with a user and runs sub-agents on the source.
 *
 * @example
 * import { createPipelineAgentProfile } from '@docwright/agent-core';
 *
 * const profile = createPipelineAgentProfile({ maxRounds: 20, timeoutMs: 900_000 });
 */
export function createPipelineAgentProfile(
  limits: AgentProfile<PipelineAgentServices>['limits'],
): AgentProfile<PipelineAgentServices> {
  return {
    name: 'pipeline-agent',
    tools: pipelineAgentTools,
    limits,
    buildSystemPrompt: async () => pipelineAgentRules,
    buildTail: async ({ services, history, timeZone, language }) =>
      await withLocaleLines(await pipelineAgentTail(services, history), { timeZone, language }, services),
  };
}
