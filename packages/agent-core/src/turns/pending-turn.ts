import type {
  AskScope,
  ExecutedCall,
  ExecutedRound,
  Mention,
  OnAsk,
  ProposedCall,
  ReasoningLevel,
  TurnContext,
  TurnEvent,
  Usage,
  WorkingState,
  WriteOriginInfo,
} from '@docwright/contract';
import type { ApprovedPlan } from '../plans/grants.ts';
import type { LlmMessage } from '../llm/llm-client.ts';
import type { Baseline } from '../tool/baseline.ts';

/** The only user who can decide a pending turn: the one who started it, in the same organization and document. */
export interface TurnOwner {
  readonly organizationId: string;
  /** Empty if the turn belongs to no document. */
  readonly documentId: string;
  readonly userId: string;
}

/** Calls that a program supplies in place of a model. */
export interface GivenCalls {
  /** The kind of program. */
  readonly via: 'mcp';
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  /** False if the calls concern the organization; the turn's document then only shows their card. */
  readonly areOfDocument: boolean;
}

/** The queued document run that a turn without a user belongs to. */
export interface UnattendedTurn {
  readonly documentRunId: string;
  readonly runId?: string;
  /** The results need a user's review. */
  readonly forReview: boolean;
  /** What happens to a call that needs approval: it is parked for a user, or denied. */
  readonly onAsk: OnAsk;
  readonly source: WriteOriginInfo;
}

/** The settings of a turn. They stay the same for the whole turn. */
export interface TurnSettings {
  readonly model: string;
  /** How much the model thinks; as its setting says without it. */
  readonly reasoning?: ReasoningLevel;
  readonly mentions: readonly Mention[];
  readonly autoApprove: boolean;
  readonly autoApprovedTools: readonly string[];
  /** The user's time zone as an IANA name. */
  readonly timeZone?: string;
  /** The language that the user's client accepts first, as a BCP 47 tag. */
  readonly language?: string;
  /** What a question over many documents is about, and the reader's locale. */
  readonly ask?: { readonly scope?: AskScope | undefined; readonly locale?: string | undefined };
  /** Present if no user watches the turn: it runs for a queued document. */
  readonly unattended?: UnattendedTurn;
  /** Present if the turn consists of these calls; it asks no model. */
  readonly given?: GivenCalls;
}

/** A turn that waits for a user, or the checkpoint of a running turn. Plain JSON; any process can resume it. */
export interface PendingTurn {
  readonly turnId: string;
  readonly threadId: string;
  readonly owner: TurnOwner;
  readonly settings: TurnSettings;
  readonly status: 'awaiting_approval' | 'awaiting_answers';
  /** Model calls made so far. */
  readonly roundsUsed: number;
  /** Without the system prompt, which is rebuilt. Ends with the assistant message of the batch and its results so far. */
  readonly transcript: readonly LlmMessage[];
  /** Number of messages in the transcript before the turn. */
  readonly historyLength: number;
  /** Present if the transcript leaves out or shortens earlier messages. */
  readonly leftOut?: LeftOut;
  readonly workingState: WorkingState;
  /** The approved plan, whose grants cover later calls. */
  readonly plan?: ApprovedPlan;
  readonly executedRounds: readonly ExecutedRound[];
  readonly batch: PendingBatch;
  /** Text of the open round. */
  readonly text: string;
  readonly thinking?: string;
  readonly usage: Usage;
  readonly context?: TurnContext;
  /** Number of events so far, the one that closes this pause included. */
  readonly eventCount: number;
  /** Set in a checkpoint of a running turn: the event to emit next. A checkpoint between two rounds has no calls. */
  readonly lastEvent?: TurnEvent;
}

/** Earlier messages that the transcript leaves out or shortens: what an argument of a call was taken from can stand there alone. */
export interface LeftOut {
  /** The newest ones, as they were. */
  readonly messages: readonly LlmMessage[];
  /** Older ones were not kept. */
  readonly isCut: boolean;
}

/** The calls of one answer in the model's order. The first `executed.length` have run, the others are pending. */
export interface PendingBatch {
  readonly calls: readonly ProposedCall[];
  /** By call id, the reason why a call can never run (unknown tool, invalid arguments). */
  readonly refusals: Readonly<Record<string, string>>;
  /**
   * By call id, the state of a write's targets at its proposal; if it has changed, the call does not run. Steps of a plan
   * have the key `<call id>/<step id>`.
   */
  readonly baselines: Readonly<Record<string, Baseline>>;
  readonly executed: readonly ExecutedCall[];
  /** Set in a checkpoint of a running turn: no user has been asked about the calls yet. */
  readonly isUndecided?: true;
}
