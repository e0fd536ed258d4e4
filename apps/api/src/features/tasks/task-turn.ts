import {
  runTurn,
  type AgentProfile,
  type Decide,
  type LlmMessage,
  type RecordCalls,
  type TaskAgentServices,
  type TurnOwner,
  type TurnResult,
} from '@docwright/agent-core';
import type { ExecutedCall, TaskMessage, TaskToolCall } from '@docwright/contract';
import { newId } from '../../platform/database/object-id.ts';
import type { Actor } from '../identity/actor.ts';
import type { LlmFor } from '../llm/llm-services.ts';

export interface TaskTurnDependencies {
  profile: AgentProfile<TaskAgentServices>;
  llmFor: LlmFor;
  decideFor: (actor: Actor, threadId: string) => Decide;
  recordCallsOf: (owner: TurnOwner, turn: { turnId: string; threadId: string }) => RecordCalls;
  chooseModel: (actor: Actor) => Promise<string>;
  servicesFor: (actor: Actor) => TaskAgentServices;
}

/** What a message came to. */
export interface TaskTurnEnd {
  text: string;
  tool_calls: TaskToolCall[];
  status: TurnResult['status'];
  /** Why it failed, where it did. */
  cause?: unknown;
}

/** One turn of the task agent: the same loop as in the chat on a document. Throws where the model failed before anything was said. */
export async function runTaskTurn(
  dependencies: TaskTurnDependencies,
  actor: Actor,
  threadId: string,
  conversation: { earlier: readonly TaskMessage[]; message: string; signal: AbortSignal },
): Promise<TaskTurnEnd> {
  const { profile, llmFor, decideFor, recordCallsOf, chooseModel, servicesFor } = dependencies;
  const { organizationId, userId } = actor;
  const owner = { organizationId, userId, documentId: '' };
  const turnId = newId();
  const messages = [...historyOf(conversation.earlier), { role: 'user' as const, content: conversation.message }];
  const events = runTurn({
    profile,
    llm: llmFor({ organizationId, userId, threadId }),
    services: {
      ...servicesFor(actor),
      conversation: { person: conversation.message, agent: lastSaid(conversation.earlier) },
    },
    decide: decideFor(actor, threadId),
    recordCalls: recordCallsOf(owner, { turnId, threadId, ...(actor.token && { token: actor.token }) }),
    signal: conversation.signal,
    turn: {
      turnId,
      threadId,
      owner,
      settings: { model: await chooseModel(actor), mentions: [], autoApprove: false, autoApprovedTools: [] },
      messages,
      maxMessages: messages.length,
      workingState: { schema_revid: null, prompt_revid: null, extraction: null },
    },
  });
  let step = await events.next();
  while (step.done !== true) step = await events.next();
  const result = step.value;
  const calls = result.executedRounds.flatMap(({ tool_calls }) => tool_calls);
  return {
    text: result.text.trim(),
    tool_calls: calls.map(presentCall),
    status: result.status,
    ...(result.status === 'failed' && { cause: result.cause }),
  };
}

function lastSaid(messages: readonly TaskMessage[]): string {
  return messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
}

/** A message that got no answer is told so: the model shall not do later what nobody waits for any more. */
function historyOf(messages: readonly TaskMessage[]): LlmMessage[] {
  return messages.flatMap(({ role, content }, at): LlmMessage[] => {
    if (role === 'assistant' || messages[at + 1]?.role === 'assistant') return [{ role, content }];
    return [
      { role, content },
      { role: 'assistant', content: 'I could not answer this message.' },
    ];
  });
}

function presentCall({ name, arguments: text, success, result, error }: ExecutedCall): TaskToolCall {
  return { tool_name: name, arguments: argumentsOf(text), result: success ? result : { error } };
}

function argumentsOf(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}
