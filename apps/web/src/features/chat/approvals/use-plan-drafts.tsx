import type { CallDecision, PlanStepDecision } from '@docwright/contract';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import { decisionsToSend, isPlan, skippedSteps, stepsOf } from '../../../agent-ui/changes/plan-draft.ts';
import { Spinner } from '../../../shared/ui/spinner.tsx';

/** Comes with the first plan. */
const PlanSteps = lazy(async () => ({ default: (await import('../../../agent-ui/changes/plan-steps.tsx')).PlanSteps }));

interface PlanDrafts {
  /** Of a plan: the steps that an approval would grant; undefined for any other card. */
  stepsLeft: (card: ToolCard) => number | undefined;
  /** The same of the waiting card with that id. */
  leftOf: (callId: string) => number | undefined;
  /** An approval of a plan with what the person has made of its steps. */
  withSteps: (decision: CallDecision) => CallDecision;
  /** The steps of a waiting plan, to skip and to edit. */
  stepsOfCard: (card: ToolCard) => ReactNode;
}

/** What the person has made of the plans that wait, until they decide. */
export function usePlanDrafts(waiting: readonly ToolCard[]): PlanDrafts {
  const [drafts, setDrafts] = useState<Record<string, PlanStepDecision[]>>({});
  const draftOf = (card: ToolCard) => drafts[card.id] ?? [];
  const stepsLeft = (card: ToolCard) => {
    if (!isPlan(card)) return undefined;
    const steps = stepsOf(card);
    return steps.length - skippedSteps(steps, draftOf(card)).size;
  };
  return {
    stepsLeft,
    leftOf(callId) {
      const card = waiting.find(({ id }) => id === callId);
      return card && stepsLeft(card);
    },
    withSteps(decision) {
      const card = waiting.find((each) => each.id === decision.call_id && isPlan(each));
      const steps = decision.approved && card ? decisionsToSend(stepsOf(card), draftOf(card)) : [];
      return steps.length > 0 ? { ...decision, steps } : decision;
    },
    stepsOfCard: (card) =>
      isPlan(card) && (
        <div className="border-t border-line">
          <Suspense fallback={<Spinner label="Loading the plan" className="m-2 text-ink-faint" />}>
            <PlanSteps
              card={card}
              draft={draftOf(card)}
              onDraft={(draft) => setDrafts({ ...drafts, [card.id]: draft })}
            />
          </Suspense>
        </div>
      ),
  };
}
