import type {
  ExecutedCall,
  ExecutedRound,
  Mention,
  OnAsk,
  ProposedCall,
  TurnContext,
  TurnEvent,
  Usage,
  WorkingState,
  WriteOriginInfo,
} from '@docwright/contract';
import type { ApprovedPlan } from '../plans/grants.ts';
import type { LlmMessage } from '../llm/llm-client.ts';
import type { Baseline } from '../tool/baseline.ts';

/** Who may decide a waiting turn: the person who started it, through the same organization and document. */
export interface TurnOwner {
  readonly organizationId: string;
  /** Empty where the turn is on no document. */
  readonly documentId: string;
  readonly userId: string;
}

/** What a program called in place of a model. */
export interface GivenCalls {
  /** What kind of program. */
  readonly via: 'mcp';
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** False: the calls are the organization's, and the turn's document is only where their card stands. */
  readonly areOfDocument: boolean;
}

/** Work of the queue that a turn belongs to. */
export interface UnattendedTurn {
  readonly documentRunId: string;
  readonly runId?: string;
  /** What it makes waits for a person's review. */
  readonly forReview: boolean;
  /** Whether a call that would have to ask waits for a person, or is denied. */
  readonly onAsk: OnAsk;
  readonly source: WriteOriginInfo;
}

/** What was asked for when the turn started; holds for the whole turn. */
export interface TurnSettings {
  readonly model: string;
  readonly mentions: readonly Mention[];
  readonly autoApprove: boolean;
  readonly autoApprovedTools: readonly string[];
  /** The person's, an IANA name. */
  readonly timeZone?: string;
  /** Nobody watches the turn: it is work on a document of the queue. */
  readonly unattended?: UnattendedTurn;
  /** The turn is these calls and ends with them; no model is asked in it. */
  readonly given?: GivenCalls;
}

/** A turn that waits for a person: plain JSON, enough for any process to go on with it. */
export interface PendingTurn {
  readonly turnId: string;
  readonly threadId: string;
  readonly owner: TurnOwner;
  readonly settings: TurnSettings;
  readonly status: 'awaiting_approval' | 'awaiting_answers';
  /** Model calls made so far. */
  readonly roundsUsed: number;
  /** Without the system prompt, which is rebuilt; ends with the assistant message of the batch and its results so far. */
  readonly transcript: readonly LlmMessage[];
  /** How many messages of the transcript were there before the turn. */
  readonly historyLength: number;
  readonly workingState: WorkingState;
  /** What a person approved for calls to come. */
  readonly plan?: ApprovedPlan;
  readonly executedRounds: readonly ExecutedRound[];
  readonly batch: PendingBatch;
  /** Text and thinking of the round that waits. */
  readonly text: string;
  readonly thinking?: string;
  readonly usage: Usage;
  readonly context?: TurnContext;
  /** Events said until now, the one that closes this pause included: the next one has the number after it. */
  readonly eventCount: number;
  /** Of a turn kept while it runs: the event that it was about to say. One that was kept between two rounds has no calls. */
  readonly lastEvent?: TurnEvent;
}

/** The calls of one answer in the model's order: the first `executed.length` have run, the rest waits. */
export interface PendingBatch {
  readonly calls: readonly ProposedCall[];
  /** By call id, why a call can never run (unknown tool, bad arguments): found at its proposal, said in its turn. */
  readonly refusals: Readonly<Record<string, string>>;
  /**
   * By call id, what a write saw when it was proposed; where that has moved on, the call is not run. Of a plan by call id
   * and step id, parted by a slash.
   */
  readonly baselines: Readonly<Record<string, Baseline>>;
  readonly executed: readonly ExecutedCall[];
  /** Proposed while the turn ran: nobody was asked about it yet. */
  readonly isUndecided?: true;
}
