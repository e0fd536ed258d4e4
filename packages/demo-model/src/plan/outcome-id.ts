import type { Outcome } from './conversation.ts';

/** An id in a tool's result; empty when it is missing, which the next tool refuses with its own message. */
export function idOf(outcome: Outcome, name: string): string {
  const id = outcome.kind === 'done' ? outcome.value[name] : undefined;
  return typeof id === 'string' ? id : '';
}
