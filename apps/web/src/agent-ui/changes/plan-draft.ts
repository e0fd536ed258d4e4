import type { PlanStepDecision, PlanStepPreview } from '@docwright/contract';
import { isRecord, parseJson } from '../../shared/http/json-value.ts';
import { callLabel } from '../call-labels.ts';
import type { ToolCard } from '../chat-state.ts';

/** A step as far as its card knows it: once decided, the call's arguments are all there is. */
export type ShownStep = Pick<PlanStepPreview, 'id' | 'tool' | 'summary' | 'why' | 'arguments' | 'needs' | 'open'> &
  Partial<PlanStepPreview>;

export const isPlan = (card: Pick<ToolCard, 'name'>): boolean => card.name === 'propose_plan';

/** "3 of 5 done": how an approved plan stands; undefined for any other card. */
export function planProgress({ planSteps }: Pick<ToolCard, 'planSteps'>): string | undefined {
  const states = Object.values(planSteps ?? {}).filter((state) => state !== 'skipped');
  if (states.length === 0) return undefined;
  const done = states.filter((state) => state === 'done').length;
  const failed = states.filter((state) => state === 'failed').length;
  return `${done} of ${states.length} done${failed === 0 ? '' : `, ${failed} failed`}`;
}

/** The steps of a plan in their order. */
export function stepsOf(card: ToolCard): ShownStep[] {
  const preview = card.proposal?.preview;
  if (preview?.kind === 'plan') return preview.steps;
  const args = parseJson(card.arguments);
  const steps = isRecord(args) && Array.isArray(args['steps']) ? args['steps'].filter(isRecord) : [];
  return steps.map((step) => {
    const given = isRecord(step['arguments']) ? step['arguments'] : {};
    const named = given['name'] ?? given['title'] ?? given['path'];
    const label = callLabel(String(step['tool']));
    return {
      id: String(step['id']),
      tool: String(step['tool']),
      summary: typeof named === 'string' ? `${label} “${named}”` : label,
      why: typeof step['why'] === 'string' ? step['why'] : '',
      arguments: JSON.stringify(given),
      needs: [],
      open: [],
    };
  });
}

/** The steps that go where some are skipped: those, and all that need their results. */
export function skippedSteps(steps: readonly ShownStep[], draft: readonly PlanStepDecision[]): Set<string> {
  const skipped = new Set(draft.filter(({ approved }) => !approved).map(({ id }) => id));
  for (const { id, needs } of steps) if (needs.some((each) => skipped.has(each))) skipped.add(id);
  return skipped;
}

/** The steps that would go with one, itself left out. */
export function dependentsOf(steps: readonly ShownStep[], draft: readonly PlanStepDecision[], id: string): ShownStep[] {
  const before = skippedSteps(steps, draft);
  const after = skippedSteps(steps, withDecision(draft, { id, approved: false }));
  return steps.filter((step) => step.id !== id && after.has(step.id) && !before.has(step.id));
}

export function withDecision(draft: readonly PlanStepDecision[], decision: PlanStepDecision): PlanStepDecision[] {
  return [...draft.filter(({ id }) => id !== decision.id), decision];
}

/** What is sent: a step that goes with another one needs no word of its own, and an edit of it is void. */
export function decisionsToSend(steps: readonly ShownStep[], draft: readonly PlanStepDecision[]): PlanStepDecision[] {
  const skipped = skippedSteps(steps, draft);
  return draft.filter(({ id, approved }) => !approved || !skipped.has(id));
}
