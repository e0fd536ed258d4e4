import type {
  AskCoverage,
  AskScope,
  CallDecision,
  Claim,
  LatestTurn,
  Mention,
  PlanStepState,
  ProposedCall,
  ReasoningLevel,
  Thread,
  ToolCall,
  TurnContext,
  TurnEvent,
  TurnStatus,
  Usage,
} from '@docwright/contract';

/** `proposed`: part of a batch, not run yet, or never run if its turn has ended. `waiting`: needs a decision or answer. */
export type CallState = 'proposed' | 'waiting' | 'running' | 'done' | 'failed' | 'rejected' | 'denied' | 'stale';

/** A tool call with its state and outcome. */
export interface ToolCard extends ToolCall {
  state: CallState;
  /** The server's preview, until the call is decided. */
  proposal?: Pick<ProposedCall, 'effect' | 'summary' | 'needs_approval' | 'preview'>;
  /** Of a plan: state by step id. */
  planSteps?: Record<string, PlanStepState>;
  result?: unknown;
  error?: string;
}

export interface UserEntry {
  kind: 'user';
  text: string;
  mentions?: Mention[];
  /** Of a question over many documents: what it is about. */
  scope?: AskScope;
}

/** One answer of the model: thinking, text and tool calls. */
export interface AssistantEntry {
  kind: 'assistant';
  text: string;
  thinking?: string;
  /** Duration of the thinking, if the server knows it. */
  thinkingMs?: number;
  cards: ToolCard[];
  /** The text is complete; what follows in the same round replaces it, since the product asked for a correction. */
  isTextDone?: true;
  /** The sentences of an answer over many documents, each checked against what it cites. */
  claims?: Claim[];
  coverage?: AskCoverage;
}

export type ChatEntry = UserEntry | AssistantEntry;

export type ChatPhase = 'idle' | 'running' | 'awaiting_approval' | 'awaiting_answers';

/** Why the last turn or request failed. */
export interface ChatNotice {
  status: Exclude<TurnStatus, 'completed' | 'awaiting_approval' | 'awaiting_answers'> | 'refused' | 'decision_refused';
  message?: string;
}

/** The notice for a turn's status; none if it succeeded or is pending. */
export function noticeOf(status: TurnStatus, message: string | undefined): { notice?: ChatNotice } {
  if (status === 'completed' || status === 'awaiting_approval' || status === 'awaiting_answers') return {};
  return { notice: { status, ...(message === undefined ? {} : { message }) } };
}

export interface ChatState {
  threadId?: string;
  turnId?: string;
  model?: string;
  /** How much the model thinks in this thread, as stored. */
  reasoning?: ReasoningLevel;
  entries: ChatEntry[];
  phase: ChatPhase;
  /** Whether the last entry still receives events. */
  roundOpen: boolean;
  /** Whether the model is thinking. */
  thinking: boolean;
  /** Of the newest turn; events up to it are skipped. */
  lastEventId: number;
  notice?: ChatNotice;
  /** A refused message that the conversation, loaded again, does not have. It belongs back in the message field. */
  unsent?: string;
  /** Of the last turn. */
  usage?: Usage;
  context?: TurnContext;
}

export type ChatAction =
  /** With `from`, replaces the message at that entry and everything after it. */
  | { type: 'message_sent'; text: string; mentions?: Mention[]; scope?: AskScope | undefined; from?: number }
  | { type: 'decided'; decisions: Pick<CallDecision, 'call_id' | 'approved' | 'reason' | 'arguments'>[] }
  | { type: 'frames'; frames: { id: number; event: TurnEvent }[] }
  | { type: 'thread_loaded'; thread: Thread }
  | { type: 'request_failed'; notice: ChatNotice }
  /** A decision was sent, and the server does not answer whether it has arrived. */
  | { type: 'decision_unknown' }
  /** The pending batch was decided in another window; events report the outcome of each card. */
  | { type: 'decided_elsewhere' }
  /** The newest turn has finished without events to show. */
  | { type: 'turn_finished'; turn: LatestTurn };

export const emptyChat: ChatState = {
  entries: [],
  phase: 'idle',
  roundOpen: false,
  thinking: false,
  lastEventId: 0,
};

/** The cards that need a decision or an answer now. */
export function pendingCards(state: ChatState): ToolCard[] {
  const last = state.entries.at(-1);
  return last?.kind === 'assistant' ? last.cards.filter((card) => card.state === 'waiting') : [];
}

export function userEntry(text: string, mentions: Mention[] | undefined, scope?: AskScope): UserEntry {
  return {
    kind: 'user',
    text,
    ...(mentions === undefined || mentions.length === 0 ? {} : { mentions }),
    ...(scope && { scope }),
  };
}
