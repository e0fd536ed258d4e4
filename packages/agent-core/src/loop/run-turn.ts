import type { CallAnswers, CallDecision, TurnEvent, WorkingState } from '@docwright/contract';
import type { LlmClient, LlmMessage } from '../llm/llm-client.ts';
import type { PendingTurn, TurnOwner, TurnSettings } from '../turns/pending-turn.ts';
import type { AgentProfile } from './agent-profile.ts';
import type { Decide } from './permission.ts';
import type { TurnResult } from './turn-result.ts';

/** A turn that begins with a person's message, the last of `messages`. */
export interface NewTurn {
  readonly turnId: string;
  readonly threadId: string;
  readonly owner: TurnOwner;
  readonly settings: TurnSettings;
  /** History and new message, without a system prompt. Any transcript will do: what is sent is cut and repaired. */
  readonly messages: readonly LlmMessage[];
  readonly workingState: WorkingState;
}

/** A turn that goes on after a person decided. */
export interface ResumedTurn {
  readonly pending: PendingTurn;
  readonly approvals: readonly CallDecision[];
  readonly answers: readonly CallAnswers[];
}

export interface RunTurnInput<Services> {
  readonly profile: AgentProfile<Services>;
  readonly llm: LlmClient;
  readonly services: Services;
  readonly decide: Decide;
  /** Aborting stops the turn at the next safe point: what was done stays. */
  readonly signal: AbortSignal;
  readonly turn: NewTurn | ResumedTurn;
}

/**
 * The only loop: asks the model, runs what may run, and goes on until text, a call that waits for a person, the round
 * limit, a stop or a failure. Yields what happens as it happens, `turn_started` first (not when resumed), everything but
 * the closing event, which the caller says after storing (`closingEventOf`). Stores nothing itself.
 *
 * Throws the DomainError of a model that failed before anything was written or said, so that it can be a plain HTTP
 * error; every later failure is a result of status `failed`.
 */
export async function* runTurn<Services>(input: RunTurnInput<Services>): AsyncGenerator<TurnEvent, TurnResult> {
  yield* [];
  throw new Error(`not built: ${input.profile.name}`);
}
