import { DomainError, type ExecutedCall, type ExecutedRound } from '@docwright/contract';

/** How many rounds may fail in the same way. */
const maxAlike = 3;

/** What people see of a call of an unknown tool; the model gets the list of its tools. */
export const unknownToolError = 'The model called a tool that does not exist.';

/**
 * Ends a turn whose model repeats a failing call instead of correcting it. Calls of unknown tools are alike whatever their
 * names. A call that a person rejected is not the model's failure.
 */
export function requireProgress(rounds: readonly ExecutedRound[]): void {
  const counts = new Map<string, number>();
  for (const { tool_calls } of rounds) {
    const failed = new Map(tool_calls.flatMap((call) => (isFailure(call) ? [[kindOf(call), call] as const] : [])));
    for (const [kind, call] of failed) {
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      if (count >= maxAlike) throw repeated(call);
    }
  }
}

function isFailure({ success, error }: ExecutedCall): boolean {
  return !success && error?.startsWith('User rejected') !== true;
}

function kindOf({ name, arguments: args, error }: ExecutedCall): string {
  return error === unknownToolError ? unknownToolError : JSON.stringify([name, args, error]);
}

function repeated({ name, error }: ExecutedCall): DomainError {
  const what = error === unknownToolError ? 'called tools that do not exist' : `made the same failing call (${name})`;
  const message = `The model ${what} ${maxAlike} times, so the turn was ended. Completed calls stay in effect. Word the request differently or choose another model.`;
  return new DomainError('model_failed', 'model_repeats_itself', message);
}
