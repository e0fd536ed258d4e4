import {
  askedQuestions,
  imageRequestArguments,
  type LlmMessage,
  type SchemaProject,
  type TurnResult,
} from '@docwright/agent-core';
import { flagsWithoutEffect } from '@docwright/contract';
import type {
  AskedQuestion,
  ExecutedTool,
  ImageRequest,
  NewMessage,
  PendingTool,
  SchemaChatAnswer,
  SchemaExecuteAnswer,
  ToolCall,
  ToolDecision,
} from '@docwright/contract';

/** The answer of a chat turn. Pending calls are split into tools to approve, questions and image requests. */
export function chatAnswerOf(result: TurnResult, project: SchemaProject): SchemaChatAnswer {
  const batch = 'pending' in result ? result.pending.batch : undefined;
  const pending = batch?.calls.slice(batch.executed.length) ?? [];
  const executed = [...result.executedRounds.flatMap(({ tool_calls }) => tool_calls), ...(batch?.executed ?? [])];
  return {
    success: true,
    assistantMessage: result.messages
      .flatMap((message) => (message.role === 'assistant' && message.content.trim() !== '' ? [message.content] : []))
      .join('\n\n'),
    newMessages: result.messages.flatMap(newMessageOf),
    pendingTools: pending.flatMap(pendingToolOf),
    questions: pending.flatMap(questionsOf),
    imageRequests: pending.flatMap(imageRequestOf),
    autoExecuteResults: Object.fromEntries(
      executed.map(({ id, success, result: value, error }) => [id, success ? value : { error }]),
    ),
    documentAnalyses: [...project.analyses],
    currentColumns: [...project.columns],
    ...idleFlags(project),
    shouldContinue: result.status === 'max_rounds',
  };
}

/** The results of decided calls, in the order of their decisions. */
export function executeAnswerOf(
  result: TurnResult,
  project: SchemaProject,
  decisions: readonly ToolDecision[],
): SchemaExecuteAnswer {
  const results = result.executedRounds.flatMap(({ tool_calls }) =>
    tool_calls.map(({ id, name, success, error }): ExecutedTool => ({
      id,
      name,
      success,
      ...(error !== undefined && { error }),
    })),
  );
  const approved = new Set(decisions.filter((decision) => decision.approved).map(({ id }) => id));
  return {
    success: results.every(({ id, success }) => success || !approved.has(id)),
    results,
    updatedColumns: [...project.columns],
    updatedTables: [...project.tables],
    updatedDescription: project.description,
    updatedMultiRowExtraction: project.multiRow,
    updatedFeatureFlags: project.featureFlags,
    ...idleFlags(project),
    toolMessages: result.messages.flatMap((message) =>
      message.role === 'tool'
        ? [{ role: 'tool' as const, tool_call_id: message.callId, content: message.content }]
        : [],
    ),
  };
}

function idleFlags({ featureFlags }: SchemaProject): { flagsWithoutEffect?: string[] } {
  const names = flagsWithoutEffect(featureFlags);
  return names.length === 0 ? {} : { flagsWithoutEffect: names };
}

function newMessageOf(message: LlmMessage): NewMessage[] {
  if (message.role === 'tool') {
    return [{ role: 'tool', tool_call_id: message.callId, content: message.content }];
  }
  if (message.role !== 'assistant') return [];
  const calls = message.toolCalls ?? [];
  const tool_calls = calls.map(({ id, name, arguments: args }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: args },
  }));
  return [{ role: 'assistant', content: message.content, ...(calls.length > 0 && { tool_calls }) }];
}

function pendingToolOf({ id, name, arguments: args }: ToolCall): PendingTool[] {
  return name === 'ask_questions' || name === 'request_example_image'
    ? []
    : [{ id, function: { name, arguments: args } }];
}

function questionsOf({ id, name, arguments: args }: ToolCall): AskedQuestion[] {
  if (name !== 'ask_questions') return [];
  return askedQuestions.parse(JSON.parse(args)).questions.map((question) => ({ ...question, tool_call_id: id }));
}

function imageRequestOf({ id, name, arguments: args }: ToolCall): ImageRequest[] {
  if (name !== 'request_example_image') return [];
  return [{ id, message: imageRequestArguments.parse(JSON.parse(args)).message, tool_call_id: id }];
}
