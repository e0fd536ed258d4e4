import type { Answer, Call } from '../call.ts';
import type { Conversation, Outcome, Step } from './conversation.ts';

/** The next step of a plan: a text, and calls whose results the plan waits for. */
export interface Move {
  say: string;
  calls: Call[];
}

/**
 * A plan is plain code that yields its calls and returns its final text. It runs again for each request: past calls are
 * answered from the transcript, and the first new call is the next step.
 */
export type Plan = Generator<Move, string, Outcome[]>;

/** Makes one call and waits for its result. */
export function* use(name: string, args: Record<string, unknown>, say = ''): Generator<Move, Outcome, Outcome[]> {
  const [outcome] = yield { say, calls: [{ name, arguments: args }] };
  return outcome ?? { kind: 'failed', error: `no result of ${name}` };
}

/** Runs a plan over the past steps, up to its next step. A plan that is only a text has no steps. */
export function nextStep(plan: Plan | string, conversation: Conversation): Answer {
  if (typeof plan === 'string') return { text: plan, calls: [] };
  const remaining = [...conversation.steps];
  let state = plan.next();
  while (!state.done) {
    const outcomes = state.value.calls.map((call) => nextMatchingStep(remaining, call.name));
    const missing = state.value.calls.filter((_, index) => outcomes[index] === undefined);
    if (missing.length > 0) return propose(state.value.say, missing, conversation);
    state = plan.next(outcomes.filter((outcome) => outcome !== undefined));
  }
  return { text: state.value, calls: [] };
}

function nextMatchingStep(remaining: Step[], name: string): Outcome | undefined {
  const index = remaining.findIndex((step) => step.name === name);
  if (index === -1) return undefined;
  return remaining.splice(0, index + 1).at(-1)?.outcome;
}

function propose(say: string, calls: Call[], conversation: Conversation): Answer {
  const unknown = calls.find((call) => !conversation.tools.has(call.name));
  if (unknown) return { text: `That needs the tool \`${unknown.name}\`, which I have not been given here.`, calls: [] };
  return { text: say, calls: conversation.allowsParallel ? calls : calls.slice(0, 1) };
}
