import type { Outcome } from './conversation.ts';

/** An id in a tool's result; empty when it is missing, so that the next tool fails with its own error. */
export function idOf(outcome: Outcome, name: string): string {
  const id = outcome.kind === 'done' ? outcome.value[name] : undefined;
  return typeof id === 'string' ? id : '';
}
