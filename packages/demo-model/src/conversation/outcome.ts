/** The outcome of a tool call. */
export type Outcome =
  | { kind: 'done'; value: Record<string, unknown> }
  | { kind: 'failed'; error: string }
  | { kind: 'rejected'; reason: string };

export type Refusal = Exclude<Outcome, { kind: 'done' }>;

/** A text such as an id in a tool's result; empty when it is missing, so that the next tool fails with its own error. */
export function textIn(outcome: Outcome, name: string): string {
  const text = outcome.kind === 'done' ? outcome.value[name] : undefined;
  return typeof text === 'string' ? text : '';
}

/** The final message after a refusal. `step` completes “I could not …”. */
export function describeRefusal(step: string, refusal: Refusal): string {
  if (refusal.kind === 'failed') return `I could not ${step}: ${refusal.error}`;
  const reason = refusal.reason === '' ? '' : ` Your reason: “${refusal.reason}”.`;
  return `You rejected it, so I did not ${step}.${reason} What should be different?`;
}
