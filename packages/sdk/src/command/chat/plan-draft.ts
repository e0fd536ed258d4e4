import {
  parseJsonWithDigits,
  type PlanStepDecision,
  type PlanStepPreview,
  type ProposedCall,
} from '@docwright/contract';
import { UsageError } from '../context/exit-codes.ts';
import { printableLine } from '../terminal/terminal-text.ts';

type Step = Pick<PlanStepPreview, 'id' | 'needs' | 'arguments'>;

/** The user's changes to a plan before its approval. */
export interface PlanDraft {
  readonly steps: readonly PlanStepPreview[];
  /** Skips a step. Returns the ids of other steps that are skipped with it because they need its result. */
  skip(id: string): string[];
  /** Restores a skipped step, with the steps whose results it needs. */
  restore(id: string): void;
  /** @param text a JSON object, which can contain slots. Throws a `UsageError` for other text. */
  edit(id: string, text: string): void;
  isSkipped(id: string): boolean;
  /** The current arguments of a step: a JSON string. */
  argumentsOf(id: string): string;
  /** Number of steps that an approval would grant. */
  remainingCount(): number;
  /** The decisions for the approval; undefined if the plan is unchanged. */
  decisions(): PlanStepDecision[] | undefined;
}

/** The steps of a pending plan; undefined for any other call. */
export function planStepsOf({ preview }: Pick<ProposedCall, 'preview'>): readonly PlanStepPreview[] | undefined {
  return preview?.kind === 'plan' ? preview.steps : undefined;
}

/** The draft of a plan without changes. */
export function createPlanDraft(steps: readonly PlanStepPreview[]): PlanDraft {
  const skippedByUser = new Set<string>();
  const edited = new Map<string, string>();
  const needsOf = (step: Step): readonly string[] => {
    const text = edited.get(step.id);
    return text === undefined ? step.needs : [...text.matchAll(/"\$from":"([^"]+)"/gu)].map(([, id]) => id ?? '');
  };
  const allSkipped = (): Set<string> => {
    const all = new Set(skippedByUser);
    for (const step of steps) if (needsOf(step).some((id) => all.has(id))) all.add(step.id);
    return all;
  };
  return {
    steps,
    skip(id) {
      const before = allSkipped();
      skippedByUser.add(id);
      return [...allSkipped()].filter((each) => each !== id && !before.has(each));
    },
    restore(id) {
      const wanted = new Set([id]);
      for (const step of steps.toReversed()) {
        if (wanted.has(step.id)) for (const needed of needsOf(step)) wanted.add(needed);
      }
      for (const each of wanted) skippedByUser.delete(each);
    },
    edit(id, text) {
      edited.set(id, jsonObject(text));
      skippedByUser.delete(id);
    },
    isSkipped: (id) => allSkipped().has(id),
    argumentsOf: (id) => edited.get(id) ?? steps.find((step) => step.id === id)?.arguments ?? '{}',
    remainingCount: () => steps.length - allSkipped().size,
    decisions() {
      if (skippedByUser.size === 0 && edited.size === 0) return undefined;
      const all = allSkipped();
      return steps.flatMap(({ id }): PlanStepDecision[] => {
        if (skippedByUser.has(id)) return [{ id, approved: false }];
        const text = edited.get(id);
        // The server skips dependent steps itself.
        return text === undefined || all.has(id) ? [] : [{ id, approved: true, arguments: text }];
      });
    },
  };
}

/** Finds a step by its number on the card, from 1, or by its id. Throws a `UsageError` that lists the steps. */
export function findStep(steps: readonly PlanStepPreview[], wanted: string): PlanStepPreview {
  const name = wanted.trim();
  const found = steps.find(({ id }) => id === name) ?? (/^\d+$/u.test(name) ? steps[Number(name) - 1] : undefined);
  if (found) return found;
  const listed = steps.map(({ id, summary }, at) => `\n  ${at + 1}  ${printableLine(id)}  ${printableLine(summary)}`);
  throw new UsageError(`The plan has no step "${printableLine(name)}". Its steps:${listed.join('')}`);
}

function jsonObject(text: string): string {
  let value: unknown;
  try {
    value = parseJsonWithDigits(text);
  } catch (error) {
    throw new UsageError(`That is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return JSON.stringify(value);
  throw new UsageError('The arguments of a step are a JSON object.');
}

/**
 * The decisions of `--skip` and `--edit` on the plan among the pending calls; undefined without these options. Throws a
 * `UsageError` if they do not fit.
 */
export function planDecisions(
  waiting: readonly ProposedCall[],
  { skip = [], edit = [] }: { skip?: string[]; edit?: string[] },
  isApproved: boolean,
): PlanStepDecision[] | undefined {
  if (skip.length === 0 && edit.length === 0) return undefined;
  if (!isApproved)
    throw new UsageError('--skip and --edit approve the rest of a plan, so they cannot be combined with --reject.');
  const [steps, ...others] = waiting.flatMap((call) => {
    const found = planStepsOf(call);
    return found ? [found] : [];
  });
  if (steps === undefined || others.length > 0)
    throw new UsageError('--skip and --edit need exactly one pending plan.');
  const draft = createPlanDraft(steps);
  for (const each of edit) {
    const at = each.indexOf('=');
    if (at < 1) throw new UsageError('--edit takes a step and the arguments to change: 2={"name":"Cargo"}');
    const { id } = findStep(steps, each.slice(0, at));
    // Other arguments remain as proposed.
    const proposed: object = JSON.parse(draft.argumentsOf(id));
    const changed: object = JSON.parse(jsonObject(each.slice(at + 1)));
    draft.edit(id, JSON.stringify({ ...proposed, ...changed }));
  }
  for (const each of skip) draft.skip(findStep(steps, each).id);
  if (draft.remainingCount() === 0) throw new UsageError('All steps of the plan are skipped. Reject it with --reject.');
  return draft.decisions();
}
