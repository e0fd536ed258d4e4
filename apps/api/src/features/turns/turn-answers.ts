import { DomainError, type TurnAnswer, type WorkingState } from '@docwright/contract';
import { emptyWorkingState } from '../threads/index.ts';

/** The answer of a turn that failed before it had one. */
export function failedAnswer(
  turn: { turnId: string; threadId: string; workingState?: WorkingState },
  error: unknown,
): TurnAnswer & { error: { code: string; message: string } } {
  const { code, message } =
    error instanceof DomainError
      ? error
      : {
          code: 'internal_error',
          message: 'The server had an internal error. The changes so far stay. Send the message again to continue.',
        };
  return { ...blankAnswer(turn), status: 'failed', error: { code, message } };
}

/** An answer without texts and calls. */
export function blankAnswer(turn: { turnId: string; threadId: string; workingState?: WorkingState }): TurnAnswer {
  return {
    thread_id: turn.threadId,
    turn_id: turn.turnId,
    status: 'completed',
    text: '',
    working_state: turn.workingState ?? emptyWorkingState,
    executed_rounds: [],
    tool_calls: [],
    usage: { prompt_tokens: 0, completion_tokens: 0, spu: 0, estimated: false },
  };
}
