import type { TurnAnswer } from '@docwright/contract';
import { DocwrightError } from '../../client/docwright-error.ts';
import { AskInterrupted } from '../terminal/asker.ts';

/** Exit codes for scripts. Shown by `--help` and in the README. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  waits: 5,
  budget: 6,
  unavailable: 7,
  incomplete: 8,
  unsupported: 9,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeHelp = `Exit codes:
  0    done
  1    failed: the server refused, or a turn, run or file failed
  2    the command line is wrong
  3    not signed in, or not allowed
  4    not found
  5    the turn waits for approval or answers
  6    the budget is used up
  7    the server was not reached or is busy: try again later
  8    the result is incomplete: rows or text are missing, or rows are duplicated
  9    a sentence of an answer is not supported by what it cites
  130  interrupted with Ctrl-C`;

/** The command line is wrong. The message names the cure. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** The user pressed Ctrl-C. The message names the command to continue. */
export class Interrupted extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Interrupted';
  }
}

const codeOfStatus: Readonly<Record<number, ExitCode>> = {
  401: exitCodes.notAllowed,
  402: exitCodes.budget,
  403: exitCodes.notAllowed,
  404: exitCodes.notFound,
  429: exitCodes.unavailable,
  503: exitCodes.unavailable,
  504: exitCodes.unavailable,
};
const codeOfClientError: Readonly<Record<string, ExitCode>> = {
  unreachable: exitCodes.unavailable,
  timeout: exitCodes.unavailable,
  connection_lost: exitCodes.unavailable,
  server_error: exitCodes.unavailable,
  invalid_base_url: exitCodes.usage,
  not_docwright: exitCodes.usage,
  redirected: exitCodes.usage,
  invalid_argument: exitCodes.usage,
  unreadable_file: exitCodes.notFound,
  no_organization: exitCodes.notAllowed,
  budget_exhausted: exitCodes.budget,
};

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof Interrupted || error instanceof AskInterrupted) return exitCodes.interrupted;
  if (!(error instanceof DocwrightError)) return exitCodes.failed;
  return codeOfClientError[error.code] ?? codeOfStatus[error.status] ?? exitCodes.failed;
}

export function exitCodeOfTurn({ status, error }: TurnAnswer): ExitCode {
  if (status === 'completed') return exitCodes.ok;
  if (status === 'awaiting_approval' || status === 'awaiting_answers') return exitCodes.waits;
  return error?.code === 'budget_exhausted' || error?.code === 'model_without_price'
    ? exitCodes.budget
    : exitCodes.failed;
}
