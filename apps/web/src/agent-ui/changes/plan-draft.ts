import type { PlanStepDecision, PlanStepPreview } from '@docwright/contract';
import { isRecord, parseJson, recordsIn } from '../../shared/http/json-value.ts';
import { callLabel } from '../call-labels.ts';
import type { ToolCard } from '../chat-state.ts';

/** A step as shown: with its preview while the plan is pending, else read from the call's arguments. */
export type ShownStep = Pick<PlanStepPreview, 'id' | 'tool' | 'summary' | 'why' | 'arguments' | 'needs' | 'open'> &
  Partial<PlanStepPreview>;

export const isPlan = (card: Pick<ToolCard, 'name'>): boolean => card.name === 'propose_plan';

/** The progress of an approved plan, such as "3 of 5 done"; undefined for other cards. */
export function planProgress({ planSteps }: Pick<ToolCard, 'planSteps'>): string | undefined {
  const states = Object.values(planSteps ?? {}).filter((state) => state !== 'skipped');
  if (states.length === 0) return undefined;
  const done = states.filter((state) => state === 'done').length;
  const failed = states.filter((state) => state === 'failed').length;
  return `${done} of ${states.length} done${failed === 0 ? '' : `, ${failed} failed`}`;
}

/** The steps of a plan, in order. */
export function stepsOf(card: ToolCard): ShownStep[] {
  const preview = card.proposal?.preview;
  if (preview?.kind === 'plan') return preview.steps;
  const args = parseJson(card.arguments);
  return recordsIn(isRecord(args) ? args['steps'] : undefined).map((step) => {
    const stepArguments = isRecord(step['arguments']) ? step['arguments'] : {};
    const name = stepArguments['name'] ?? stepArguments['title'] ?? stepArguments['path'];
    const label = callLabel(String(step['tool']));
    return {
      id: String(step['id']),
      tool: String(step['tool']),
      summary: typeof name === 'string' ? `${label} “${name}”` : label,
      why: typeof step['why'] === 'string' ? step['why'] : '',
      arguments: JSON.stringify(stepArguments),
      needs: [],
      open: [],
    };
  });
}

/** The ids of skipped steps, including those that need the results of skipped ones. */
export function skippedSteps(steps: readonly ShownStep[], draft: readonly PlanStepDecision[]): Set<string> {
  const skipped = new Set(draft.filter(({ approved }) => !approved).map(({ id }) => id));
  for (const { id, needs } of steps) if (needs.some((needed) => skipped.has(needed))) skipped.add(id);
  return skipped;
}

/** The other steps that would be skipped together with a step. */
export function dependentsOf(steps: readonly ShownStep[], draft: readonly PlanStepDecision[], id: string): ShownStep[] {
  const before = skippedSteps(steps, draft);
  const after = skippedSteps(steps, withDecision(draft, { id, approved: false }));
  return steps.filter((step) => step.id !== id && after.has(step.id) && !before.has(step.id));
}

export function withDecision(draft: readonly PlanStepDecision[], decision: PlanStepDecision): PlanStepDecision[] {
  return [...draft.filter(({ id }) => id !== decision.id), decision];
}

/** The decisions to send: edits of steps that are skipped along with another are dropped. */
export function decisionsToSend(steps: readonly ShownStep[], draft: readonly PlanStepDecision[]): PlanStepDecision[] {
  const skipped = skippedSteps(steps, draft);
  return draft.filter(({ id, approved }) => !approved || !skipped.has(id));
}
