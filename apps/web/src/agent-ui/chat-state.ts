import type {
  CallDecision,
  LatestTurn,
  Mention,
  PlanStepState,
  ProposedCall,
  Thread,
  ToolCall,
  TurnContext,
  TurnEvent,
  TurnStatus,
  Usage,
} from '@docwright/contract';

/**
 * `proposed` stands in a batch and has not run (after its turn has ended: never ran);
 * `waiting` needs a person's decision or answer.
 */
export type CallState = 'proposed' | 'waiting' | 'running' | 'done' | 'failed' | 'rejected' | 'denied' | 'stale';

/** A tool call as a lasting record. */
export interface ToolCard extends ToolCall {
  state: CallState;
  /** What the server says about the call until it is decided; afterwards the call speaks for itself. */
  proposal?: Pick<ProposedCall, 'effect' | 'summary' | 'needs_approval' | 'preview'>;
  /** Of a plan: how each of its steps stands. */
  planSteps?: Record<string, PlanStepState>;
  result?: unknown;
  error?: string;
}

export interface UserEntry {
  kind: 'user';
  text: string;
  mentions?: Mention[];
}

/** One answer of the model: its thinking, its words, the calls that came with them. */
export interface AssistantEntry {
  kind: 'assistant';
  text: string;
  thinking?: string;
  /** How long it thought, where the server knows. */
  thinkingMs?: number;
  cards: ToolCard[];
}

export type ChatEntry = UserEntry | AssistantEntry;

export type ChatPhase = 'idle' | 'running' | 'awaiting_approval' | 'awaiting_answers';

/** Why the last turn did not end as asked. */
export interface ChatNotice {
  status: Exclude<TurnStatus, 'completed' | 'awaiting_approval' | 'awaiting_answers'> | 'refused' | 'decision_refused';
  message?: string;
}

/** What is to be said about a turn that is over; nothing where it did what it was asked to. */
export function noticeOf(status: TurnStatus, message: string | undefined): { notice?: ChatNotice } {
  if (status === 'completed' || status === 'awaiting_approval' || status === 'awaiting_answers') return {};
  return { notice: { status, ...(message === undefined ? {} : { message }) } };
}

export interface ChatState {
  threadId?: string;
  turnId?: string;
  model?: string;
  entries: ChatEntry[];
  phase: ChatPhase;
  /** Whether the last entry is a round that still grows. */
  roundOpen: boolean;
  /** Whether the model thinks right now. */
  thinking: boolean;
  /** Of the newest turn; what was seen is not taken again. */
  lastEventId: number;
  notice?: ChatNotice;
  /** Of the last turn. */
  usage?: Usage;
  context?: TurnContext;
}

export type ChatAction =
  /** With `from`, in the place of the message at that entry and of all that came after it. */
  | { type: 'message_sent'; text: string; mentions?: Mention[]; from?: number }
  | { type: 'decided'; decisions: Pick<CallDecision, 'call_id' | 'approved' | 'reason' | 'arguments'>[] }
  | { type: 'frames'; frames: { id: number; event: TurnEvent }[] }
  | { type: 'thread_loaded'; thread: Thread }
  | { type: 'request_failed'; notice: ChatNotice }
  /** Somebody decided on the waiting batch elsewhere: what came of each card is told as it runs. */
  | { type: 'decided_elsewhere' }
  /** The newest turn ended without a word that would have to be shown. */
  | { type: 'turn_noted'; turn: LatestTurn };

export const emptyChat: ChatState = {
  entries: [],
  phase: 'idle',
  roundOpen: false,
  thinking: false,
  lastEventId: 0,
};

/** The cards that a person has to decide or answer now. */
export function waitingCards(state: ChatState): ToolCard[] {
  const last = state.entries.at(-1);
  return last?.kind === 'assistant' ? last.cards.filter((card) => card.state === 'waiting') : [];
}

export function userEntry(text: string, mentions: Mention[] | undefined): UserEntry {
  return { kind: 'user', text, ...(mentions === undefined || mentions.length === 0 ? {} : { mentions }) };
}
