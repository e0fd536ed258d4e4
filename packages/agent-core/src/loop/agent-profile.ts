import type { Mention, WorkingState } from '@docwright/contract';
import type { LlmMessage, LlmTool } from '../llm/llm-client.ts';
import type { GivenContent } from '../provenance/seen-content.ts';
import type { Toolset } from '../tool/toolset.ts';

/** What a system prompt is built from, again before every model call. */
export interface PromptContext<Services> {
  readonly services: Services;
  readonly workingState: WorkingState;
  /** The model that is asked. */
  readonly model: string;
  /** The person's, an IANA name, where it is known. */
  readonly timeZone?: string | undefined;
  /** Of the turn's message; the profile resolves them through the services. */
  readonly mentions: readonly Mention[];
  /** What is sent between the system message and the tail. */
  readonly history: readonly LlmMessage[];
}

/** One agent: what it may do and what it is told. The loop knows no agent but through this. */
export interface AgentProfile<Services> {
  readonly name: string;
  readonly tools: Toolset<Services>;
  readonly limits: {
    /** Model calls in a turn, counted over its pauses. */
    readonly maxRounds: number;
    /** Of one run up to its pause or end, in milliseconds. */
    readonly timeoutMs: number;
  };
  /**
   * No call of an answer builds on another one of it: what may run at once does so, though a call before it waits for a
   * person. Without it, whatever stands behind a waiting call waits as well.
   */
  readonly callsAreIndependent?: true;
  /**
   * The first message: rules, and what does not change during a conversation. Endpoints that cache what requests have in
   * common charge it once, so that nothing may stand here that a call or an hour changes.
   */
  buildSystemPrompt(context: PromptContext<Services>): Promise<string>;
  /** The last message, a system message too, which is not kept in the history: what changes from call to call. */
  buildTail?(context: PromptContext<Services>): Promise<string>;
  /** What the prompt holds beside the transcript, by where it came from: the arguments of writes are labelled by it. */
  givenContent?(context: PromptContext<Services>): Promise<GivenContent>;
  /** The tools that this conversation is offered, of `tools` and in their order; all of them where it is left out. */
  offered?(context: PromptContext<Services>): Promise<readonly LlmTool[]>;
  /** The history as it is sent: with the images that results only name. */
  withImages?(context: PromptContext<Services>): Promise<readonly LlmMessage[]>;
}
