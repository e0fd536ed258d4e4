import type { CallDecision, PlanStepDecision } from '@docwright/contract';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import { decisionsToSend, isPlan, skippedSteps, stepsOf } from '../../../agent-ui/changes/plan-draft.ts';
import { keepUnsent } from '../../../agent-ui/drafts/unsent-drafts.ts';
import { Spinner } from '../../../shared/ui/spinner.tsx';

/** Loaded with the first plan. */
const PlanSteps = lazyPart(async () => ({
  default: (await import('../../../agent-ui/changes/plan-steps.tsx')).PlanSteps,
}));

/** The user's unsent decisions about the steps of pending plans. */
export function usePlanDrafts(pending: readonly ToolCard[]) {
  const [drafts, setDrafts] = useState<Record<string, PlanStepDecision[]>>({});
  const draftOf = (card: ToolCard) => drafts[card.id] ?? [];
  const remainingSteps = (card: ToolCard) => {
    if (!isPlan(card)) return undefined;
    const steps = stepsOf(card);
    return steps.length - skippedSteps(steps, draftOf(card)).size;
  };
  return {
    /** The number of a plan's steps that are not skipped; undefined for other cards. */
    remainingSteps,
    /** The same for the pending card with this id. */
    remainingStepsOf(callId: string) {
      const card = pending.find(({ id }) => id === callId);
      return card && remainingSteps(card);
    },
    /** Leaves out plans whose steps are all skipped: the server rejects their approval. */
    withStepsLeft: (cards: ToolCard[]) => cards.filter((card) => remainingSteps(card) !== 0),
    /** Adds the user's step decisions to an approval of a plan. */
    withSteps(decision: CallDecision) {
      const plan = pending.find((card) => card.id === decision.call_id && isPlan(card));
      const steps = decision.approved && plan ? decisionsToSend(stepsOf(plan), draftOf(plan)) : [];
      return steps.length > 0 ? { ...decision, steps } : decision;
    },
    /** Renders the steps of a pending plan, to skip and edit them. */
    renderSteps: (card: ToolCard) =>
      isPlan(card) && (
        <div className="border-t border-line">
          <Suspense fallback={<Spinner label="Loading the plan" className="m-2 text-ink-faint" />}>
            <PlanSteps
              card={card}
              draft={draftOf(card)}
              onDraft={(draft) => {
                keepUnsent(card.id, { steps: draft });
                setDrafts({ ...drafts, [card.id]: draft });
              }}
            />
          </Suspense>
        </div>
      ),
  };
}
