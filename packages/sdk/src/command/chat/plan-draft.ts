import type { PlanStepDecision, PlanStepPreview, ProposedCall } from '@docwright/contract';
import { UsageError } from '../exit-codes.ts';
import { printableLine } from '../terminal-text.ts';

type Step = Pick<PlanStepPreview, 'id' | 'needs' | 'arguments'>;

/** What a user has made of the steps of a plan so far: nothing that is sent before they approve it. */
export interface PlanDraft {
  readonly steps: readonly PlanStepPreview[];
  /** Skips a step; the others that go with it since they need its result. */
  skip(id: string): string[];
  /** Takes a skipped step in again, with those whose results it needs. */
  putBack(id: string): void;
  /** @param text a JSON object, which may hold slots. Throws a `UsageError` where it is none. */
  edit(id: string, text: string): void;
  isSkipped(id: string): boolean;
  /** The arguments of a step as they would be approved: a JSON string. */
  argumentsOf(id: string): string;
  /** How many steps an approval would grant. */
  left(): number;
  /** For the approval; undefined where the plan is as it was proposed. */
  decisions(): PlanStepDecision[] | undefined;
}

/** The steps of a waiting plan; undefined for any other call. */
export function planStepsOf({ preview }: Pick<ProposedCall, 'preview'>): readonly PlanStepPreview[] | undefined {
  return preview?.kind === 'plan' ? preview.steps : undefined;
}

export function createPlanDraft(steps: readonly PlanStepPreview[]): PlanDraft {
  const struck = new Set<string>();
  const edited = new Map<string, string>();
  const needsOf = (step: Step): readonly string[] => {
    const text = edited.get(step.id);
    return text === undefined ? step.needs : [...text.matchAll(/"\$from":"([^"]+)"/gu)].map(([, id]) => id ?? '');
  };
  const gone = (): Set<string> => {
    const all = new Set(struck);
    for (const step of steps) if (needsOf(step).some((id) => all.has(id))) all.add(step.id);
    return all;
  };
  return {
    steps,
    skip(id) {
      const before = gone();
      struck.add(id);
      return [...gone()].filter((each) => each !== id && !before.has(each));
    },
    putBack(id) {
      const wanted = new Set([id]);
      for (const step of steps.toReversed()) {
        if (wanted.has(step.id)) for (const needed of needsOf(step)) wanted.add(needed);
      }
      for (const each of wanted) struck.delete(each);
    },
    edit(id, text) {
      edited.set(id, jsonObject(text));
      struck.delete(id);
    },
    isSkipped: (id) => gone().has(id),
    argumentsOf: (id) => edited.get(id) ?? steps.find((step) => step.id === id)?.arguments ?? '{}',
    left: () => steps.length - gone().size,
    decisions() {
      if (struck.size === 0 && edited.size === 0) return undefined;
      const all = gone();
      return steps.flatMap(({ id }): PlanStepDecision[] => {
        if (struck.has(id)) return [{ id, approved: false }];
        const text = edited.get(id);
        // A step that goes with another one needs no word of its own.
        return text === undefined || all.has(id) ? [] : [{ id, approved: true, arguments: text }];
      });
    },
  };
}

/** A step by its number on the card, from 1, or by its id. Throws a `UsageError` that lists them. */
export function stepNamed(steps: readonly PlanStepPreview[], wanted: string): PlanStepPreview {
  const name = wanted.trim();
  const found = steps.find(({ id }) => id === name) ?? (/^\d+$/u.test(name) ? steps[Number(name) - 1] : undefined);
  if (found) return found;
  const there = steps.map(({ id, summary }, at) => `\n  ${at + 1}  ${printableLine(id)}  ${printableLine(summary)}`);
  throw new UsageError(`The plan has no step "${printableLine(name)}". There are:${there.join('')}`);
}

function jsonObject(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`That is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return JSON.stringify(value);
  throw new UsageError('The arguments of a step are a JSON object.');
}

/**
 * What `--skip` and `--edit` make of the plan among the waiting calls; undefined where neither is given. Throws a
 * `UsageError` where they do not fit.
 */
export function planDecisions(
  waiting: readonly ProposedCall[],
  { skip = [], edit = [] }: { skip?: string[]; edit?: string[] },
  isApproved: boolean,
): PlanStepDecision[] | undefined {
  if (skip.length === 0 && edit.length === 0) return undefined;
  if (!isApproved) throw new UsageError('--skip and --edit approve the rest of a plan; --reject rejects all of it.');
  const [steps, ...others] = waiting.flatMap((call) => {
    const found = planStepsOf(call);
    return found ? [found] : [];
  });
  if (steps === undefined || others.length > 0) throw new UsageError('--skip and --edit go with one plan that waits.');
  const draft = createPlanDraft(steps);
  for (const each of edit) {
    const at = each.indexOf('=');
    if (at < 1) throw new UsageError('--edit takes a step and the arguments to change: 2={"name":"Cargo"}');
    const { id } = stepNamed(steps, each.slice(0, at));
    // What is not named stays as the agent proposed it.
    const proposed: object = JSON.parse(draft.argumentsOf(id));
    const changed: object = JSON.parse(jsonObject(each.slice(at + 1)));
    draft.edit(id, JSON.stringify({ ...proposed, ...changed }));
  }
  for (const each of skip) draft.skip(stepNamed(steps, each).id);
  if (draft.left() === 0) throw new UsageError('No step of the plan is left. Reject it with --reject.');
  return draft.decisions();
}
