import { DomainError, type TurnAnswer, type WorkingState } from '@docwright/contract';
import { emptyWorkingState } from '../threads/index.ts';

/** The answer of a turn that broke off before it had one. */
export function failedAnswer(
  turn: { turnId: string; threadId: string; workingState?: WorkingState },
  error: unknown,
): TurnAnswer & { error: { code: string; message: string } } {
  const { code, message } =
    error instanceof DomainError
      ? error
      : { code: 'internal_error', message: 'Something went wrong on our side. What was done until then is kept.' };
  return { ...blankAnswer(turn), status: 'failed', error: { code, message } };
}

/** An answer in which nothing has been said or done. */
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
