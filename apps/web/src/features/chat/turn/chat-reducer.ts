import type { Thread, TurnAnswer, TurnEvent } from '@docwright/contract';
import { rejectionText, withOutcome } from '../../../agent-ui/call-outcome.ts';
import {
  type AssistantEntry,
  type ChatAction,
  type ChatEntry,
  type ChatState,
  type ToolCard,
  noticeOf,
  userEntry,
} from '../../../agent-ui/chat-state.ts';
import { threadToState } from './thread-to-state.ts';
import { sumOf } from './usage-sum.ts';
import { cardOf, withPendingBatch } from './pending-batch.ts';

/** Reduces the user's actions and the server's events to the chat's state. */
export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'message_sent': {
      const { notice: _notice, usage: _usage, turnId: _turnId, unsent: _unsent, ...rest } = state;
      return {
        ...rest,
        entries: [
          ...withoutPending(state).slice(0, action.from),
          userEntry(action.text, action.mentions, action.scope),
        ],
        phase: 'running',
        roundOpen: false,
        lastEventId: 0,
      };
    }
    case 'decided': {
      const { notice: _notice, ...rest } = state;
      const decide = (card: ToolCard): ToolCard => {
        const decision = action.decisions.find(({ call_id }) => call_id === card.id);
        if (card.state === 'proposed') return { ...card, state: 'running' };
        if (card.state !== 'waiting') return card;
        if (decision?.approved !== false) {
          const edited = decision?.arguments === undefined ? {} : { arguments: decision.arguments };
          return { ...card, ...edited, state: 'running' };
        }
        return withOutcome(card, false, undefined, rejectionText(decision.reason));
      };
      return { ...rest, phase: 'running', entries: mapLastCards(state.entries, decide) };
    }
    case 'decision_unknown': {
      const setProposed = (card: ToolCard): ToolCard =>
        card.state === 'running' ? { ...card, state: 'proposed' } : card;
      return { ...state, entries: mapLastCards(state.entries, setProposed) };
    }
    case 'decided_elsewhere': {
      const { notice: _notice, ...rest } = state;
      const setRunning = (card: ToolCard): ToolCard =>
        card.state === 'waiting' || card.state === 'proposed' ? { ...card, state: 'running' } : card;
      return { ...rest, phase: 'running', entries: mapLastCards(state.entries, setRunning) };
    }
    case 'turn_finished':
      return { ...state, turnId: action.turn.turn_id, lastEventId: action.turn.event_count };
    case 'frames':
      return action.frames.reduce(applyFrame, state);
    case 'thread_loaded':
      return { ...threadToState(action.thread), ...unsentBy(state, action.thread) };
    case 'request_failed': {
      // A pending turn stays pending; only a turn that never started is over.
      const finished = state.phase === 'running' ? { phase: 'idle' as const, roundOpen: false, thinking: false } : {};
      return { ...state, ...finished, notice: action.notice };
    }
  }
}

/** The last message, if it was refused before its turn began: another window's turn ran in the conversation. */
function unsentBy(state: ChatState, thread: Thread): { unsent?: string } {
  const text = state.threadId === thread.id ? refusedMessage(state) : undefined;
  return text === undefined ? {} : { unsent: text };
}

/** The last message, if its turn did not begin. */
export function refusedMessage({ entries, notice, turnId }: ChatState): string | undefined {
  const last = entries.at(-1);
  return notice?.status === 'refused' && turnId === undefined && last?.kind === 'user' ? last.text : undefined;
}

/** Skips events that were applied before, which a replay repeats. */
function applyFrame(state: ChatState, { id, event }: { id: number; event: TurnEvent }): ChatState {
  const sameTurn = event.type !== 'turn_started' || event.turn_id === state.turnId;
  if (sameTurn && id > 0 && id <= state.lastEventId) return state;
  return { ...applyEvent(state, event), lastEventId: id };
}

/** Sets the state of a step on the plan's card, and the step on its call's card. */
function withPlanStep(entries: ChatEntry[], step: Extract<TurnEvent, { type: 'plan_step' }>): ChatEntry[] {
  return entries.map((entry) => {
    if (entry.kind !== 'assistant') return entry;
    if (!entry.cards.some(({ id }) => id === step.plan_id || id === step.call_id)) return entry;
    const cards = entry.cards.map((card) => {
      if (card.id === step.plan_id) return { ...card, planSteps: { ...card.planSteps, [step.id]: step.state } };
      if (card.id === step.call_id) return { ...card, plan: { plan_id: step.plan_id, step_id: step.id } };
      return card;
    });
    return { ...entry, cards };
  });
}

function applyEvent(state: ChatState, event: TurnEvent): ChatState {
  switch (event.type) {
    case 'turn_started': {
      const isSameTurn = event.turn_id === state.turnId;
      const { usage, ...before } = state;
      return {
        ...before,
        ...(isSameTurn && usage && { usage }),
        threadId: event.thread_id,
        turnId: event.turn_id,
        model: event.model,
        phase: 'running',
        // A turn read from the start follows the message that started it.
        entries: isSameTurn ? entriesToKeep(state, event.resumed) : throughLastMessage(state.entries),
        roundOpen: isSameTurn && event.resumed !== true && state.roundOpen,
        thinking: false,
      };
    }
    case 'thinking_chunk':
      return {
        ...withRound(state, (entry) => ({ ...entry, thinking: (entry.thinking ?? '') + event.chunk })),
        thinking: true,
      };
    case 'thinking_done':
      return {
        ...withRound(state, (entry) => ({
          ...entry,
          ...(event.full_text === '' ? {} : { thinking: event.full_text }),
          ...(event.duration_ms === undefined ? {} : { thinkingMs: event.duration_ms }),
        })),
        thinking: false,
      };
    case 'assistant_text_chunk':
      return {
        ...withRound(state, ({ isTextDone, ...entry }) => ({
          ...entry,
          text: isTextDone === true ? event.chunk : entry.text + event.chunk,
        })),
        thinking: false,
      };
    case 'assistant_text_done':
      return withRound(state, (entry) => ({ ...entry, text: event.full_text, isTextDone: true }));
    case 'tool_calls': {
      const paused = event.tool_calls.some((call) => call.needs_approval);
      const cards = event.tool_calls.map((call) => cardOf(call, paused ? 'proposed' : 'running'));
      const withCards = ({ isTextDone: _isTextDone, ...entry }: AssistantEntry): AssistantEntry => ({
        ...entry,
        cards,
      });
      return { ...withRound(state, withCards), thinking: false };
    }
    case 'tool_result': {
      const setOutcome = (card: ToolCard) =>
        card.id === event.call_id ? withOutcome(card, event.success, event.result, event.error) : card;
      return { ...state, phase: 'running', entries: mapLastCards(state.entries, setOutcome) };
    }
    case 'plan_step':
      return { ...state, entries: withPlanStep(state.entries, event) };
    case 'claims': {
      const { claims, coverage } = event;
      return withRound(state, (entry) => ({ ...entry, claims, ...(coverage && { coverage }) }));
    }
    case 'round_executed':
      return { ...state, roundOpen: false };
    case 'usage':
      return { ...state, usage: sumOf(state.usage, event) };
    case 'done':
      return applyAnswer(state, event.result);
    case 'error': {
      const { context: _context, ...rest } = state;
      return finishTurn(rest, { usage: state.usage ?? sumOf(), ...noticeOf('failed', event.message) });
    }
  }
}

function applyAnswer(state: ChatState, answer: TurnAnswer): ChatState {
  if (answer.status === 'awaiting_approval' || answer.status === 'awaiting_answers') {
    return withPendingBatch(withExecutedArguments(state, answer), answer);
  }
  return finishTurn(withExecutedArguments(state, answer), {
    usage: answer.usage,
    ...(answer.context && { context: answer.context }),
    ...noticeOf(answer.status, answer.error?.message),
  });
}

/** Sets the arguments that calls ran with, which may have been edited in another window. */
function withExecutedArguments(state: ChatState, { executed_rounds }: TurnAnswer): ChatState {
  // Questions are never edited; the server only formats their arguments differently.
  const calls = executed_rounds.flatMap(({ tool_calls }) => tool_calls).filter(({ name }) => name !== 'ask_questions');
  const executed = new Map(calls.map((call) => [call.id, call.arguments]));
  const correct = (card: ToolCard): ToolCard => ({ ...card, arguments: executed.get(card.id) ?? card.arguments });
  const differs = (card: ToolCard) => correct(card).arguments !== card.arguments;
  const entries = state.entries.map((entry) =>
    entry.kind === 'assistant' && entry.cards.some(differs) ? { ...entry, cards: entry.cards.map(correct) } : entry,
  );
  return { ...state, entries };
}

function finishTurn(state: ChatState, rest: Pick<ChatState, 'notice' | 'usage' | 'context'>): ChatState {
  return {
    ...state,
    ...rest,
    entries: settleText(settleCards(state.entries)),
    phase: 'idle',
    roundOpen: false,
    thinking: false,
  };
}

/** A newer message rejects all pending calls. */
function withoutPending(state: ChatState): ChatEntry[] {
  if (state.phase === 'idle') return settleCards(state.entries);
  return mapLastCards(state.entries, (card) =>
    card.state === 'waiting' || card.state === 'proposed' ? withOutcome(card, false, undefined, rejectionText()) : card,
  );
}

/** Unfinished calls of a finished turn never run. */
function settleCards(entries: ChatEntry[]): ChatEntry[] {
  return mapLastCards(entries, (card) => {
    if (card.state !== 'running' && card.state !== 'waiting' && card.state !== 'proposed') return card;
    return { id: card.id, name: card.name, arguments: card.arguments, state: 'proposed' };
  });
}

/** Nothing follows the last text of a finished turn. */
function settleText(entries: ChatEntry[]): ChatEntry[] {
  const last = entries.at(-1);
  if (last?.kind !== 'assistant') return entries;
  const { isTextDone: _isTextDone, ...entry } = last;
  return [...entries.slice(0, -1), entry];
}

/** A turn that resumes in another process repeats its unfinished round. */
function entriesToKeep({ entries, roundOpen }: ChatState, resumed: true | undefined): ChatEntry[] {
  return resumed && roundOpen && entries.at(-1)?.kind === 'assistant' ? entries.slice(0, -1) : entries;
}

function throughLastMessage(entries: ChatEntry[]): ChatEntry[] {
  return entries.slice(0, entries.findLastIndex((entry) => entry.kind === 'user') + 1);
}

/** Changes the open round, or starts one. */
function withRound(state: ChatState, change: (entry: AssistantEntry) => AssistantEntry): ChatState {
  const last = state.entries.at(-1);
  if (state.roundOpen && last?.kind === 'assistant') {
    return { ...state, entries: [...state.entries.slice(0, -1), change(last)] };
  }
  const started: AssistantEntry = { kind: 'assistant', text: '', cards: [] };
  return { ...state, roundOpen: true, entries: [...state.entries, change(started)] };
}

function mapLastCards(entries: ChatEntry[], change: (card: ToolCard) => ToolCard): ChatEntry[] {
  const last = entries.at(-1);
  if (last?.kind !== 'assistant' || last.cards.length === 0) return entries;
  return [...entries.slice(0, -1), { ...last, cards: last.cards.map(change) }];
}
