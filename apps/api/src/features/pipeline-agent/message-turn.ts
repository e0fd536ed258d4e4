import {
  historyOfAnswers,
  runTurn,
  type AgentProfile,
  type Decide,
  type LlmClient,
  type PipelineAgentServices,
  type RecordCalls,
  type TurnOwner,
  type TurnResult,
} from '@docwright/agent-core';
import type { AgentMessageEvent, AgentToolCall, ExecutedCall, TurnEvent } from '@docwright/contract';
import { emptyWorkingState } from '../threads/index.ts';
import type { StoredAgentMessage } from './conversation-repository.ts';

interface MessageTurn {
  profile: AgentProfile<PipelineAgentServices>;
  llm: LlmClient;
  model: string;
  services: PipelineAgentServices;
  decide: Decide;
  recordCalls: RecordCalls;
  owner: TurnOwner;
  turnId: string;
  threadId: string;
  history: readonly StoredAgentMessage[];
  message: string;
  /** The language that the user's client accepts first. */
  language: string | undefined;
  signal: AbortSignal;
  emit: (event: AgentMessageEvent) => void;
  /** The number of characters of the answer before a call. */
  textBefore: (callId: string) => number | undefined;
  /** Adds a call's result, before the event of its end. */
  addResult: (callId: string, result: unknown) => void;
}

/** Runs one turn of the pipeline agent in the common loop, and maps its events to those of conversations. */
export async function runMessageTurn(turn: MessageTurn): Promise<{ result: TurnResult; tool_calls: AgentToolCall[] }> {
  const { profile, llm, model, services, decide, recordCalls, owner, turnId, threadId, signal } = turn;
  const messages = [...historyOfAnswers(turn.history), { role: 'user' as const, content: turn.message }];
  const events = runTurn({
    profile,
    llm,
    services,
    decide,
    recordCalls,
    signal,
    turn: {
      turnId,
      threadId,
      owner,
      settings: {
        model,
        mentions: [],
        autoApprove: false,
        autoApprovedTools: [],
        ...(turn.language !== undefined && { language: turn.language }),
      },
      messages,
      workingState: emptyWorkingState,
    },
  });
  let step = await events.next();
  while (step.done !== true) {
    for (const event of step.value) {
      if (event.type === 'tool_result') turn.addResult(event.call_id, resultOf(event));
      for (const conversationEvent of conversationEventsOf(event)) turn.emit(conversationEvent);
    }
    step = await events.next();
  }
  const result = step.value;
  const executed = result.executedRounds.flatMap(({ tool_calls }) => tool_calls);
  const pendingCalls = 'pending' in result ? result.pending.batch.executed : [];
  return {
    result,
    tool_calls: [...executed, ...pendingCalls].map((call) => presentCall(call, turn.textBefore(call.id))),
  };
}

function conversationEventsOf(event: TurnEvent): AgentMessageEvent[] {
  switch (event.type) {
    case 'turn_started':
      return [{ type: 'status', status: 'thinking' }];
    case 'assistant_text_chunk':
      return [{ type: 'text', content: event.chunk }];
    case 'tool_calls':
      return [
        { type: 'status', status: 'working' },
        ...event.tool_calls.map(({ id, name, arguments: text }): AgentMessageEvent => ({
          type: 'tool_call_start',
          call_id: id,
          name,
          arguments: argumentsOf(text),
        })),
      ];
    case 'tool_result':
      return [{ type: 'tool_call_end', call_id: event.call_id, name: event.name, success: event.success }];
    case 'round_executed':
      return [{ type: 'status', status: 'thinking' }];
    default:
      return [];
  }
}

function presentCall(
  { name, arguments: text, ...outcome }: ExecutedCall,
  text_before: number | undefined,
): AgentToolCall {
  return {
    tool_name: name,
    arguments: argumentsOf(text),
    result: resultOf(outcome),
    ...(text_before !== undefined && { text_before }),
  };
}

function resultOf({ success, result, error }: Pick<ExecutedCall, 'success' | 'result' | 'error'>): unknown {
  return success ? result : { error };
}

function argumentsOf(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}
