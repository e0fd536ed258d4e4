import { ParseFailure, type ParseErrorCode } from '../reader/parse-failure.ts';

/** A thread's answer to a job that it could not finish. */
export interface FailedAnswer {
  type: 'failed';
  code: ParseErrorCode;
  message: string;
  /** The stack of an unexpected error, for the log. */
  reason?: string;
  /** Whether the thread can take another job; otherwise it is stopped. */
  reusable: boolean;
}

/** The answer for an error of a job: a `ParseFailure` as it is, any other error as `unexpected`. */
export function failedAnswer(
  error: unknown,
  isReusable: boolean,
  unexpected: Pick<FailedAnswer, 'code' | 'message' | 'reusable'>,
): FailedAnswer {
  if (error instanceof ParseFailure) {
    const reusable = error.code !== 'parse_out_of_memory' && isReusable;
    return { type: 'failed', code: error.code, message: error.message, reusable };
  }
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { type: 'failed', ...unexpected, reason };
}
