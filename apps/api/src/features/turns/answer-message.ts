import {
  finishTurn,
  historyOfAnswers,
  messagesForHistory,
  type LlmMessage,
  type RunTurnInput,
  type TurnResult,
} from '@docwright/agent-core';
import type { AgentToolCall, ExecutedCall, TurnEvent } from '@docwright/contract';
import { newId } from '../../platform/database/object-id.ts';
import type { RecordCallsOf } from '../audit/index.ts';
import type { Actor } from '../identity/index.ts';
import { emptyWorkingState, ownerOf } from '../threads/index.ts';

/** The owner and the records of the turns of a conversation that belongs to no document. */
export function turnsOfConversation(recordCallsOf: RecordCallsOf, actor: Actor, threadId: string) {
  const owner = ownerOf(actor, '');
  const origin = { threadId, ...(actor.token && { token: actor.token }) };
  return { owner, callsOf: (turnId: string) => recordCallsOf(owner, { turnId, ...origin }) };
}

interface MessageToAnswer<Services> extends Pick<
  RunTurnInput<Services>,
  'profile' | 'llm' | 'services' | 'decide' | 'signal'
> {
  model: string;
  threadId: string;
  turns: ReturnType<typeof turnsOfConversation>;
  earlier: Parameters<typeof historyOfAnswers>[0];
  message: string;
  /** The language that the user's client accepts first. */
  language: string | undefined;
  /** Whether the model receives all of `earlier`, however many messages its answers consisted of. */
  keepsAll?: boolean;
  onEvent?: (event: TurnEvent) => void;
}

interface Answered {
  result: TurnResult;
  /** The calls that ran, as conversations show them. */
  tool_calls: ({ id: string } & AgentToolCall)[];
  /** The messages to store for later turns; absent if the turn failed or was stopped. */
  sent?: LlmMessage[];
}

/** Answers a message of a conversation that shows only texts, in the common loop. */
export async function answerMessage<Services>(asked: MessageToAnswer<Services>): Promise<Answered> {
  const { profile, llm, services, decide, signal, model, threadId, turns, language } = asked;
  const turnId = newId();
  const messages = [...historyOfAnswers(asked.earlier), { role: 'user' as const, content: asked.message }];
  const input = {
    profile,
    llm,
    services,
    decide,
    recordCalls: turns.callsOf(turnId),
    signal,
    turn: {
      turnId,
      threadId,
      owner: turns.owner,
      settings: { model, mentions: [], autoApprove: false, autoApprovedTools: [], ...(language && { language }) },
      messages,
      ...(asked.keepsAll && { maxMessages: messages.length }),
      workingState: emptyWorkingState,
    },
  };
  const result = await finishTurn(input, asked.onEvent);
  const pending = 'pending' in result ? result.pending.batch.executed : [];
  const executed = [...result.executedRounds.flatMap(({ tool_calls }) => tool_calls), ...pending];
  return {
    result,
    tool_calls: executed.map(({ id, name, arguments: text, ...outcome }) => ({
      id,
      tool_name: name,
      arguments: JSON.parse(text) as AgentToolCall['arguments'],
      result: shownResult(outcome),
    })),
    ...(/^(completed|awaiting)/.test(result.status) && { sent: messagesForHistory(result.messages) }),
  };
}

/** The result of a call, or `{ error }`. */
export function shownResult({ success, result, error }: Pick<ExecutedCall, 'success' | 'result' | 'error'>): unknown {
  return success ? result : { error };
}
