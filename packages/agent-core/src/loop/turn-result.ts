import {
  DomainError,
  type AskCoverage,
  type Claim,
  type ExecutedRound,
  type TurnAnswer,
  type TurnContext,
  type TurnEvent,
  type Usage,
  type WorkingState,
} from '@docwright/contract';
import type { LlmMessage } from '../llm/llm-client.ts';
import type { PendingTurn } from '../turns/pending-turn.ts';

/** The part of a result that is independent of its status. */
export interface TurnOutcome {
  readonly turnId: string;
  readonly threadId: string;
  /** Text of the last round. */
  readonly text: string;
  readonly thinking?: string;
  readonly workingState: WorkingState;
  readonly executedRounds: readonly ExecutedRound[];
  readonly usage: Usage;
  /** What the product found in the answer, if it checks answers. */
  readonly claims?: readonly Claim[];
  readonly coverage?: AskCoverage;
  /** Absent before the first model call. */
  readonly context?: TurnContext;
  /** The messages that the turn added to the transcript, those before a pause included. */
  readonly messages: readonly LlmMessage[];
  /** Number of events emitted in the turn so far, without the closing one. */
  readonly eventCount: number;
}

/** The result of one run of a turn, up to its pause or its end. */
export type TurnResult = TurnOutcome &
  (
    | { readonly status: 'completed' | 'max_rounds' | 'stopped' }
    | { readonly status: 'awaiting_approval' | 'awaiting_answers'; readonly pending: PendingTurn }
    /** `cause` is for the log alone. */
    | {
        readonly status: 'failed';
        readonly error: { readonly code: string; readonly message: string };
        readonly cause: unknown;
      }
  );

/**
 * The JSON answer of a result.
 *
 * @example
 * import { turnAnswerOf, type TurnResult } from '@docwright/agent-core';
 *
 * declare const result: TurnResult;
 * const { status, text, tool_calls } = turnAnswerOf(result); // tool_calls: the pending calls
 */
export function turnAnswerOf(result: TurnResult): TurnAnswer {
  return {
    thread_id: result.threadId,
    turn_id: result.turnId,
    status: result.status,
    text: result.text,
    ...(result.thinking === undefined ? {} : { thinking: result.thinking }),
    working_state: result.workingState,
    executed_rounds: [...result.executedRounds],
    tool_calls: 'pending' in result ? [...result.pending.batch.calls] : [],
    usage: result.usage,
    ...(result.claims === undefined ? {} : { claims: [...result.claims] }),
    ...(result.coverage === undefined ? {} : { coverage: result.coverage }),
    ...(result.context === undefined ? {} : { context: result.context }),
    ...(result.status === 'failed' ? { error: result.error } : {}),
  };
}

/**
 * The last event of a run. The service emits it after it has stored the result.
 *
 * @example
 * import { closingEventOf, type TurnResult } from '@docwright/agent-core';
 *
 * declare const result: TurnResult;
 * closingEventOf(result).type; // 'done', or 'error' for a failed turn
 */
export function closingEventOf(result: TurnResult): TurnEvent {
  if (result.status === 'failed') return { type: 'error', ...result.error };
  return { type: 'done', result: turnAnswerOf(result) };
}

/**
 * A failure as clients see it. An unexpected error reveals no internals.
 *
 * @example
 * import { describeFailure } from '@docwright/agent-core';
 *
 * describeFailure(new TypeError('x is undefined')).code; // 'internal_error'
 */
export function describeFailure(error: unknown): { code: string; message: string } {
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  return {
    code: 'internal_error',
    message: 'The server failed unexpectedly. Completed calls stay in effect. Try again.',
  };
}

/** The error of a turn that reached its time limit. */
export function timeoutError(milliseconds: number): DomainError {
  const seconds = Math.round(milliseconds / 1000);
  const cure = 'Completed calls stay in effect. Send a message to continue.';
  return new DomainError('model_failed', 'turn_timeout', `The turn took longer than ${seconds} s. ${cure}`);
}
