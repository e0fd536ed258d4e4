import type { ProposedCall, TurnAnswer } from '@docwright/contract';
import type { AssistantEntry, ChatPhase, ChatState, ToolCard } from '../../../agent-ui/chat-state.ts';

export function cardOf(call: ProposedCall, state: ToolCard['state']): ToolCard {
  const { id, name, arguments: args, provenance, passages, chosen_by_document, plan, ...proposal } = call;
  const origin = {
    ...(provenance && { provenance }),
    ...(passages && { passages }),
    ...(chosen_by_document && { chosen_by_document }),
    ...(plan && { plan }),
  };
  return { id, name, arguments: args, state, proposal, ...origin };
}

/** The person is asked about a call that needs approval, and about the agent's own questions. */
const isAsked = (call: ProposedCall) => call.needs_approval || call.name === 'ask_questions';

/** What stands before the first call that waits has run already. */
const hasRun = ({ state }: ToolCard) => state !== 'proposed' && state !== 'running' && state !== 'waiting';

/** A turn that waits, as its `done` event or a thread's `pending_turn` tells it. */
export function withWaitingBatch(state: ChatState, answer: TurnAnswer): ChatState {
  const phase: ChatPhase = answer.status === 'awaiting_answers' ? 'awaiting_answers' : 'awaiting_approval';
  const batch = answer.tool_calls.map((call) => cardOf(call, isAsked(call) ? 'waiting' : 'proposed'));
  const last = state.entries.at(-1);
  const known = new Map(last?.kind === 'assistant' ? last.cards.map((card) => [card.id, card]) : []);
  const belongs = last?.kind === 'assistant' && batch.every((card) => known.has(card.id));
  const entry: AssistantEntry = belongs
    ? {
        ...last,
        cards: last.cards.map((card) => (hasRun(card) ? card : (batch.find(({ id }) => id === card.id) ?? card))),
      }
    : { kind: 'assistant', text: answer.text, cards: batch };
  return {
    ...state,
    entries: [...(belongs ? state.entries.slice(0, -1) : state.entries), entry],
    threadId: answer.thread_id,
    turnId: answer.turn_id,
    phase,
    roundOpen: true,
    thinking: false,
    usage: answer.usage,
    ...(answer.context && { context: answer.context }),
  };
}
