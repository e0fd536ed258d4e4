import type { ProposedCall, TurnAnswer } from '@docwright/contract';
import type { TurnState } from '../../chat/index.ts';

/** The turn of a call, under which it is approved, looked up and undone. */
export interface CallLocation {
  documentId: string;
  threadId: string;
  turnId: string;
}

/** The state of a call. */
export type McpOutcome =
  | { kind: 'done'; success: true; tool: string; result: unknown; place?: CallLocation; images?: readonly string[] }
  | { kind: 'done'; success: false; error: string; place?: CallLocation }
  | { kind: 'running'; place: CallLocation }
  | { kind: 'waiting'; place: CallLocation; call: ProposedCall };

/** The outcome of the turn's only call. */
export function outcomeOf(turn: TurnAnswer | TurnState, documentId: string): McpOutcome {
  const place = { documentId, threadId: turn.thread_id, turnId: turn.turn_id };
  const [waiting] = turn.tool_calls;
  if (turn.status === 'awaiting_approval' && waiting) return { kind: 'waiting', place, call: waiting };
  if (turn.status === 'running') return { kind: 'running', place };
  const [done] = turn.executed_rounds.flatMap(({ tool_calls }) => tool_calls);
  if (done?.success === true) return { kind: 'done', success: true, tool: done.name, result: done.result, place };
  const error = done?.error ?? turn.error?.message ?? `The call has not run: its turn is ${turn.status}.`;
  return { kind: 'done', success: false, error, place };
}

export function failed(error: string): McpOutcome {
  return { kind: 'done', success: false, error };
}

/** An error without the texts that the program has sent itself: it has these from nowhere else. */
export function withoutArguments(error: string, given: Record<string, unknown>): string {
  const own = Object.values(given).filter((value) => typeof value === 'string' && value !== '') as string[];
  const longestFirst = own.toSorted((one, other) => other.length - one.length);
  return longestFirst.reduce((text, each) => text.replaceAll(each, ' '), error);
}

/** A call in an approval question. `credential` is the session or token that made the call; no other can answer. */
export type CallToDecide = CallLocation & { callId: string; credential: string };
