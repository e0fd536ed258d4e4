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

/** Whether a call needs the user: an approval, or answers to questions. */
const needsUser = (call: ProposedCall) => call.needs_approval || call.name === 'ask_questions';

/** Calls before the first pending one have already run. */
const hasRun = ({ state }: ToolCard) => state !== 'proposed' && state !== 'running' && state !== 'waiting';

/** Shows the pending batch of a turn, from its `done` event or a thread's `pending_turn`. */
export function withPendingBatch(state: ChatState, answer: TurnAnswer): ChatState {
  const phase: ChatPhase = answer.status === 'awaiting_answers' ? 'awaiting_answers' : 'awaiting_approval';
  const batch = answer.tool_calls.map((call) => cardOf(call, needsUser(call) ? 'waiting' : 'proposed'));
  const last = state.entries.at(-1);
  const shownCards = new Map(last?.kind === 'assistant' ? last.cards.map((card) => [card.id, card]) : []);
  const isShown = last?.kind === 'assistant' && batch.every((card) => shownCards.has(card.id));
  const entry: AssistantEntry = isShown
    ? {
        ...last,
        cards: last.cards.map((card) => (hasRun(card) ? card : (batch.find(({ id }) => id === card.id) ?? card))),
      }
    : { kind: 'assistant', text: answer.text, cards: batch };
  return {
    ...state,
    entries: [...(isShown ? state.entries.slice(0, -1) : state.entries), entry],
    threadId: answer.thread_id,
    turnId: answer.turn_id,
    phase,
    roundOpen: true,
    thinking: false,
    usage: answer.usage,
    ...(answer.context && { context: answer.context }),
  };
}
