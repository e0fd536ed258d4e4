import {
  historyOfAnswers,
  runTurn,
  messagesForHistory,
  type AgentProfile,
  type Decide,
  type LlmMessage,
  type RecordCalls,
  type TaskAgentServices,
  type TurnOwner,
  type TurnResult,
} from '@docwright/agent-core';
import type { ExecutedCall, TaskMessage, TaskToolCall } from '@docwright/contract';
import { z } from 'zod';
import { newId } from '../../platform/database/object-id.ts';
import type { Actor } from '../identity/index.ts';
import type { LlmFor } from '../llm/index.ts';
import { emptyWorkingState } from '../threads/index.ts';
import type { StoredTaskMessage } from './task-conversation-repository.ts';

export interface TaskTurnDependencies {
  profile: AgentProfile<TaskAgentServices>;
  llmFor: LlmFor;
  decideFor: (actor: Actor, threadId: string) => Decide;
  recordCallsOf: (owner: TurnOwner, turn: { turnId: string; threadId: string }) => RecordCalls;
  chooseModel: (actor: Actor) => Promise<string>;
  servicesFor: (actor: Actor) => TaskAgentServices;
}

interface TaskConversation {
  earlier: readonly StoredTaskMessage[];
  message: string;
  /** The language that the user's client accepts first. */
  language?: string | undefined;
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
  dependencies: TaskTurnDependencies,
  actor: Actor,
  threadId: string,
  conversation: TaskConversation,
): Promise<TaskTurnEnd> {
  const { profile, llmFor, decideFor, recordCallsOf, chooseModel, servicesFor } = dependencies;
  const { organizationId, userId } = actor;
  const owner = { organizationId, userId, documentId: '' };
  const { language } = conversation;
  const turnId = newId();
  const messages = [
    ...historyOfAnswers(conversation.earlier),
    { role: 'user' as const, content: conversation.message },
  ];
  const events = runTurn({
    profile,
    llm: llmFor({ organizationId, userId, threadId }),
    services: {
      ...servicesFor(actor),
      conversation: {
        person: conversation.message,
        agent: lastAnswer(conversation.earlier),
        taskIds: taskIdsIn(conversation.earlier),
      },
    },
    decide: decideFor(actor, threadId),
    recordCalls: recordCallsOf(owner, { turnId, threadId, ...(actor.token && { token: actor.token }) }),
    signal: conversation.signal,
    turn: {
      turnId,
      threadId,
      owner,
      settings: {
        model: await chooseModel(actor),
        mentions: [],
        autoApprove: false,
        autoApprovedTools: [],
        ...(language !== undefined && { language }),
      },
      messages,
      maxMessages: messages.length,
      workingState: emptyWorkingState,
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
    ...(result.status === 'completed' && { sent: messagesForHistory(result.messages) }),
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

function presentCall({ name, arguments: text, success, result, error }: ExecutedCall): TaskToolCall {
  return { tool_name: name, arguments: argumentsOf(text), result: success ? result : { error } };
}

function argumentsOf(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}
