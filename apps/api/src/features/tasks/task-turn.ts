import type { AgentProfile, Decide, LlmMessage, TaskAgentServices, TurnResult } from '@docwright/agent-core';
import type { TaskMessage, TaskToolCall } from '@docwright/contract';
import { z } from 'zod';
import type { RecordCallsOf } from '../audit/index.ts';
import type { Actor } from '../identity/index.ts';
import type { LlmFor } from '../llm/index.ts';
import { answerMessage, turnsOfConversation } from '../turns/index.ts';
import type { StoredTaskMessage } from './task-conversation-repository.ts';

export interface TaskTurnDependencies {
  profile: AgentProfile<TaskAgentServices>;
  llmFor: LlmFor;
  decideFor: (actor: Actor, threadId: string) => Decide;
  recordCallsOf: RecordCallsOf;
  chooseModel: (actor: Actor) => Promise<string>;
  servicesFor: (actor: Actor) => TaskAgentServices;
}

interface TaskConversation {
  earlier: readonly StoredTaskMessage[];
  message: string;
  /** The language that the user's client accepts first. */
  language: string | undefined;
  signal: AbortSignal;
}

/** The result of a message. */
export interface TaskTurnEnd {
  text: string;
  tool_calls: TaskToolCall[];
  status: TurnResult['status'];
  /** The messages sent and received, if the turn finished. */
  sent?: readonly LlmMessage[];
  /** The error of a failed turn. */
  cause?: unknown;
}

/** Runs one turn of the task agent, with the loop of the document chat. Throws if the model fails before it has answered. */
export async function runTaskTurn(
  { profile, llmFor, decideFor, recordCallsOf, chooseModel, servicesFor }: TaskTurnDependencies,
  actor: Actor,
  threadId: string,
  { earlier, message, language, signal }: TaskConversation,
): Promise<TaskTurnEnd> {
  const { organizationId, userId } = actor;
  const about = { person: message, agent: lastAnswer(earlier), taskIds: taskIdsIn(earlier) };
  const { result, tool_calls, sent } = await answerMessage({
    profile,
    llm: llmFor({ organizationId, userId, threadId }),
    services: { ...servicesFor(actor), conversation: about },
    decide: decideFor(actor, threadId),
    signal,
    model: await chooseModel(actor),
    threadId,
    turns: turnsOfConversation(recordCallsOf, actor, threadId),
    earlier,
    message,
    language,
    keepsAll: true,
  });
  return {
    text: result.text.trim(),
    tool_calls: tool_calls.map(({ id: _id, ...call }) => call),
    status: result.status,
    ...(sent && { sent }),
    ...(result.status === 'failed' && { cause: result.cause }),
  };
}

function lastAnswer(messages: readonly TaskMessage[]): string {
  return messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
}

/** The ids of the tasks that earlier calls created, changed or listed, except those that they deleted. */
function taskIdsIn(messages: readonly TaskMessage[]): string[] {
  const ids = new Set<string>();
  const tasks = messages.flatMap(({ tool_calls }) => tool_calls.flatMap(({ result }) => tasksIn(result)));
  for (const { id, deleted } of tasks) {
    if (deleted === true) ids.delete(id);
    else ids.add(id);
  }
  return [...ids];
}

const shownTask = z.looseObject({ id: z.string(), deleted: z.boolean().optional() });
const taskResult = z.union([z.object({ tasks: z.array(shownTask) }), shownTask]);

function tasksIn(result: unknown): z.infer<typeof shownTask>[] {
  const { data } = taskResult.safeParse(result);
  if (data === undefined) return [];
  return 'tasks' in data ? (data.tasks as z.infer<typeof shownTask>[]) : [data];
}
