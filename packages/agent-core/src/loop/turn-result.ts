import {
  DomainError,
  type ExecutedRound,
  type TurnAnswer,
  type TurnContext,
  type TurnEvent,
  type Usage,
  type WorkingState,
} from '@docwright/contract';
import type { LlmMessage } from '../llm/llm-client.ts';
import type { PendingTurn } from '../turns/pending-turn.ts';

/** What was done, whatever the turn came to. */
export interface TurnOutcome {
  readonly turnId: string;
  readonly threadId: string;
  /** Of the last round. */
  readonly text: string;
  readonly thinking?: string;
  readonly workingState: WorkingState;
  readonly executedRounds: readonly ExecutedRound[];
  readonly usage: Usage;
  /** Absent before the first model call. */
  readonly context?: TurnContext;
  /** What the turn added to the transcript since it started, pauses included. */
  readonly messages: readonly LlmMessage[];
  /** Events said so far in the turn, without the closing one. */
  readonly eventCount: number;
}

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

/** The JSON answer of a result. */
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
    ...(result.context === undefined ? {} : { context: result.context }),
    ...(result.status === 'failed' ? { error: result.error } : {}),
  };
}

/** The last event of a run: said by the service, after it has stored the result. */
export function closingEventOf(result: TurnResult): TurnEvent {
  if (result.status === 'failed') return { type: 'error', ...result.error };
  return { type: 'done', result: turnAnswerOf(result) };
}

/** What is said of a failure, which may leave the process: an unexpected one tells nothing of the inside. */
export function describeFailure(error: unknown): { code: string; message: string } {
  if (error instanceof DomainError) return { code: error.code, message: error.message };
  return {
    code: 'internal_error',
    message: 'Something unexpected went wrong in the server. What was done until then stays; try again.',
  };
}

export function timeoutError(milliseconds: number): DomainError {
  const seconds = Math.round(milliseconds / 1000);
  const cure = 'What was done until then stays; send a message to go on.';
  return new DomainError('model_failed', 'turn_timeout', `The turn took longer than ${seconds} s. ${cure}`);
}
