import type { Outcome } from './conversation.ts';

/** The final message after a failed step. `what` completes “I could not …”. */
export function stopped(what: string, outcome: Exclude<Outcome, { kind: 'done' }>): string {
  if (outcome.kind === 'failed') return `I could not ${what}: ${outcome.error}`;
  const reason = outcome.reason === '' ? '' : ` Your reason: “${outcome.reason}”.`;
  return `You rejected it, so I did not ${what}.${reason} What should be different?`;
}
