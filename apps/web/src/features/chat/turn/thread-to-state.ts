import type { LatestTurn, PlanStepState, Thread } from '@docwright/contract';
import { isRecord, parseJson } from '../../../shared/http/json-value.ts';
import { withStoredOutcome } from '../../../agent-ui/call-outcome.ts';
import {
  emptyChat,
  noticeOf,
  userEntry,
  type ChatEntry,
  type ChatState,
  type ToolCard,
} from '../../../agent-ui/chat-state.ts';
import { withPendingBatch } from './pending-batch.ts';

/** Turns a stored thread into the chat's state, the same as its live events lead to. */
export function threadToState(thread: Thread): ChatState {
  const entries: ChatEntry[] = [];
  for (const message of thread.messages) {
    if (message.role === 'user') {
      entries.push(userEntry(message.content, message.mentions, message.scope));
    } else if (message.role === 'assistant') {
      const cards = (message.tool_calls ?? []).map((call) => ({ ...call, state: 'proposed' as const }));
      if (message.content === '' && message.thinking === undefined && cards.length === 0) continue;
      entries.push({
        kind: 'assistant',
        text: message.content,
        ...(message.thinking === undefined || message.thinking === '' ? {} : { thinking: message.thinking }),
        ...(message.thinking_ms === undefined ? {} : { thinkingMs: message.thinking_ms }),
        cards,
        ...(message.claims && { claims: message.claims }),
        ...(message.coverage && { coverage: message.coverage }),
      });
    } else {
      const owner = entries.findLast(
        (entry) => entry.kind === 'assistant' && entry.cards.some(({ id }) => id === message.tool_call_id),
      );
      if (owner?.kind === 'assistant') {
        owner.cards = owner.cards.map((card) =>
          card.id === message.tool_call_id ? withStoredOutcome(card, message) : card,
        );
      }
    }
  }
  setPlanSteps(entries, thread);
  const state: ChatState = {
    ...emptyChat,
    threadId: thread.id,
    entries,
    model: thread.model,
    ...(thread.reasoning && { reasoning: thread.reasoning }),
    ...(thread.latest_turn && newestTurn(thread.latest_turn)),
  };
  return thread.pending_turn ? withPendingBatch(state, thread.pending_turn) : state;
}

/** Sets the states of plan steps on the plans' cards, from the calls that carried them out. */
function setPlanSteps(entries: readonly ChatEntry[], { latest_turn, pending_turn }: Thread): void {
  const cards = entries.flatMap((entry) => (entry.kind === 'assistant' ? entry.cards : []));
  for (const { plan, state } of cards) {
    const owner = plan && cards.find(({ id }) => id === plan.plan_id);
    if (!owner || (state !== 'done' && state !== 'failed')) continue;
    owner.planSteps = { ...owner.planSteps, [plan.step_id]: state };
  }
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== 'assistant') continue;
    const isOver =
      entries.slice(index + 1).some(({ kind }) => kind === 'user') ||
      (pending_turn === undefined && latest_turn?.status !== 'running');
    for (const card of entry.cards)
      if (card.planSteps) card.planSteps = { ...unexecutedSteps(card, isOver), ...card.planSteps };
  }
}

/** The states of all steps as if no call had carried them out, read from the result of an approved plan. */
function unexecutedSteps({ arguments: args, result }: ToolCard, isOver: boolean): Record<string, PlanStepState> {
  const approved = new Set(stepIds(isRecord(result) ? result['approved_steps'] : undefined));
  const proposed = parseJson(args);
  const all = stepIds(isRecord(proposed) ? proposed['steps'] : undefined);
  const state = isOver ? 'ended' : 'waiting';
  return Object.fromEntries(all.map((id) => [id, approved.has(id) ? state : 'skipped']));
}

const stepIds = (steps: unknown): string[] =>
  Array.isArray(steps) ? steps.flatMap((step) => (isRecord(step) ? [String(step['id'])] : [])) : [];

/** A running turn is replayed from its start; everything else is already in the thread. */
function newestTurn({ turn_id, status, event_count, usage, context, error }: LatestTurn): Partial<ChatState> {
  const used = { ...(usage && { usage }), ...(context && { context }) };
  if (status === 'running') return { phase: 'running', ...used };
  return { turnId: turn_id, lastEventId: event_count, ...used, ...noticeOf(status, error?.message) };
}
