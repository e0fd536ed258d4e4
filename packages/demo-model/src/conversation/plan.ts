import type { Answer, Call } from '../protocol/answer.ts';
import type { RuleInput, PastCall } from './conversation.ts';
import type { Outcome } from './outcome.ts';

/** Calls that one answer makes together, with the answer's text. */
export interface Batch {
  text: string;
  calls: Call[];
}

/**
 * Plain code that yields batches of calls, gets their outcomes and returns a result. It runs again for each request: past
 * calls are answered from the transcript, and the first new batch is the next answer.
 */
export type BatchSteps<Result> = Generator<Batch, Result, Outcome[]>;

/** The steps of a whole turn; the result is its final text. */
export type PlanOfSteps = BatchSteps<string>;

/** Makes one call and returns its outcome. */
export function* use(name: string, args: Record<string, unknown>, text = ''): BatchSteps<Outcome> {
  const [outcome] = yield { text, calls: [{ name, arguments: args }] };
  return outcome ?? { kind: 'failed', error: `no result of ${name}` };
}

/** Runs a plan over the past steps and returns the next answer. A plan that is only a text has no steps. */
export function nextAnswer(plan: PlanOfSteps | string, conversation: RuleInput): Answer {
  if (typeof plan === 'string') return { text: plan, calls: [] };
  const remaining = [...conversation.steps];
  let state = plan.next();
  while (!state.done) {
    const outcomes = state.value.calls.map((call) => takeOutcome(remaining, call.name));
    const missing = state.value.calls.filter((_, index) => outcomes[index] === undefined);
    if (missing.length > 0) return propose(state.value.text, missing, conversation);
    state = plan.next(outcomes.filter((outcome) => outcome !== undefined));
  }
  return { text: state.value, calls: [] };
}

/** Removes the past steps up to the first call of a tool, and returns that call's outcome. */
function takeOutcome(remaining: PastCall[], name: string): Outcome | undefined {
  const index = remaining.findIndex((step) => step.name === name);
  if (index === -1) return undefined;
  return remaining.splice(0, index + 1).at(-1)?.outcome;
}

function propose(text: string, calls: Call[], conversation: RuleInput): Answer {
  const unknown = calls.find((call) => !conversation.tools.has(call.name));
  if (unknown) return { text: `That needs the tool \`${unknown.name}\`, which I have not been given here.`, calls: [] };
  return { text, calls: conversation.allowsParallel ? calls : calls.slice(0, 1) };
}
