import type { AskCoverage, Claim, Mention, WorkingState } from '@docwright/contract';
import type { LlmMessage, LlmTool } from '../llm/llm-client.ts';
import type { GivenContent } from '../provenance/seen-content.ts';
import type { Toolset } from '../tool/toolset.ts';

/** The input of a system prompt. The prompt is rebuilt before every model call. */
export interface PromptContext<Services> {
  readonly services: Services;
  readonly workingState: WorkingState;
  /** The model of this call. */
  readonly model: string;
  /** The user's time zone as an IANA name, if known. */
  readonly timeZone?: string | undefined;
  /** The language that the person's client accepts first, as a BCP 47 tag, if known. */
  readonly language?: string | undefined;
  /** Mentions in the turn's message; the profile resolves them through the services. */
  readonly mentions: readonly Mention[];
  /** The messages between the system message and the tail. */
  readonly history: readonly LlmMessage[];
  /** Aborts when the turn is stopped or takes too long. */
  readonly signal?: AbortSignal;
}

/** A finished answer, before the turn completes. */
export interface FinalAnswer<Services> {
  readonly services: Services;
  readonly text: string;
  /** Aborts when the turn is stopped or takes too long. */
  readonly signal?: AbortSignal;
}

/** What the product found in an answer. */
export interface CheckedAnswer {
  readonly claims: readonly Claim[];
  readonly coverage?: AskCoverage;
  /** The message that asks the model, once in a turn, to write the answer again. Absent if nothing is wrong. */
  readonly correction?: string;
}

/** One agent: its tools, limits and prompts. The loop knows an agent only through this interface. */
export interface AgentProfile<Services> {
  readonly name: string;
  readonly tools: Toolset<Services>;
  readonly limits: {
    /** Maximum number of model calls in a turn, pauses included. */
    readonly maxRounds: number;
    /** Time limit of one run, up to its pause or end, in milliseconds. */
    readonly timeoutMs: number;
  };
  /**
   * The calls of one answer do not depend on each other: a call that needs no user runs even if an earlier call is
   * pending. Without this flag, every call after a pending call is pending too.
   */
  readonly callsAreIndependent?: true;
  /**
   * The first message: rules and facts that stay the same during a conversation. Endpoints cache the common prefix of
   * requests and charge it once, so this text must not depend on the time or on earlier calls.
   */
  buildSystemPrompt(context: PromptContext<Services>): Promise<string>;
  /** The last message, also a system message: facts that change from call to call. It is not stored in the history. */
  buildTail?(context: PromptContext<Services>): Promise<string>;
  /** The prompt's content beside the transcript, grouped by source. Arguments of writes are labelled with these sources. */
  givenContent?(context: PromptContext<Services>): Promise<GivenContent>;
  /** The definitions to offer in this conversation, in the order of `tools`. All tools by default. */
  offered?(context: PromptContext<Services>): Promise<readonly LlmTool[]>;
  /** Checks an answer before the turn completes. The model can correct it once. */
  checkAnswer?(answer: FinalAnswer<Services>): Promise<CheckedAnswer>;
  /** The history to send, with the images that tool results refer to. */
  withImages?(context: PromptContext<Services>): Promise<readonly LlmMessage[]>;
}
