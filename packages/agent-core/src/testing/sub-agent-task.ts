import type { LlmClient } from '../llm/llm-client.ts';
import { defaultDecide } from '../permissions/default-decide.ts';
import type { SubAgentTask } from '../sub-agents/sub-agent-task.ts';

/** A complete task with default values; `over` replaces some of them. */
export function practiceTask(llm: LlmClient, over: Partial<SubAgentTask> = {}): SubAgentTask {
  return {
    model: {
      llm,
      model: 'm',
      owner: { organizationId: 'a'.repeat(24), documentId: '', userId: 'c'.repeat(24) },
      threadId: 'e'.repeat(24),
      decide: defaultDecide({ role: 'member', autoApprove: false, autoApprovedTools: [] }),
      recordCallsOf: () => async () => undefined,
      newTurnId: () => 'd'.repeat(24),
    },
    timeoutMs: 5_000,
    focus: '',
    signal: new AbortController().signal,
    emitStep: () => undefined,
    ...over,
  };
}
