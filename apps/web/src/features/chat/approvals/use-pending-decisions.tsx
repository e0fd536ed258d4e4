import type { CallAnswers, CallDecision } from '@docwright/contract';
import { Suspense, useEffect, useMemo, type ReactNode } from 'react';
import { pendingCards, type ChatState, type ToolCard } from '../../../agent-ui/chat-state.ts';
import { clearAnswerDraft } from '../../../agent-ui/drafts/use-answer-draft.ts';
import { questionsOf } from '../../../agent-ui/questions.ts';
import { focusCard, useDecisionKeys } from '../../../agent-ui/use-decision-keys.ts';
import type { ChatPlace } from '../../../shared/api/chat-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { CardDecision } from './card-decision.tsx';
import { approvable, blockedReason, decisionLabel, isQuestion, undecided, useBatchDecision } from './decision-batch.ts';
import { useCallEvidence } from './use-call-evidence.ts';
import { usePlanDrafts } from './use-plan-drafts.tsx';

const CallEvidence = lazyPart(async () => ({
  default: (await import('./call-evidence.tsx')).CallEvidence,
}));

const isMeasurable = ({ proposal }: ToolCard): boolean =>
  proposal?.preview?.kind === 'difference' && proposal.preview.evaluation !== undefined;

const QuestionForm = lazyPart(async () => ({
  default: (await import('../../../agent-ui/question-form.tsx')).QuestionForm,
}));

interface PendingDecisionsProps {
  place: ChatPlace;
  state: ChatState;
  /** Whether the conversation is in view: only then keys decide, and the focus follows the cards. */
  shown: boolean;
  onDecide: (decisions: CallDecision[], answers: CallAnswers[]) => void;
}

/** What the user can decide about the pending calls of a conversation: one by one, by keys, or all at once. */
export function usePendingDecisions({ place, state, shown, onDecide }: PendingDecisionsProps) {
  const { organization } = useSession();
  const pending = useMemo(() => pendingCards(state), [state]);
  const batch = useBatchDecision(pending, (decisions, answers) => {
    for (const { call_id } of answers) clearAnswerDraft(call_id);
    onDecide(decisions, answers);
  });
  const plans = usePlanDrafts(pending);
  const evidence = useCallEvidence();
  /** An approval names the evaluation it is based on, if that is still current. */
  const choose = (decisions: CallDecision[]) =>
    batch.choose(
      decisions.map((decision) => {
        const evaluation_id = decision.arguments === undefined ? evidence.evaluationOf(decision.call_id) : undefined;
        const withSteps = plans.withSteps(decision);
        return decision.approved && evaluation_id !== undefined ? { ...withSteps, evaluation_id } : withSteps;
      }),
    );
  const open = undecided(pending, batch.choices);
  useDecisionKeys({
    enabled: shown && approvable(pending).length > 0,
    pending: approvable(open).map(({ id }) => id),
    onApprove: (callId) => plans.remainingStepsOf(callId) !== 0 && choose([{ call_id: callId, approved: true }]),
    onReject: (callId) => batch.setDraft({ callId, kind: 'reason' }),
    onEdit: (callId) => plans.remainingStepsOf(callId) === undefined && batch.setDraft({ callId, kind: 'arguments' }),
  });

  const [firstOpen, openCount] = [open[0]?.id, open.length];
  useEffect(() => {
    // Runs after each decision, because a submitted form disappears together with the focus.
    if (shown && openCount > 0 && firstOpen !== undefined) focusCard(firstOpen);
  }, [shown, firstOpen, openCount]);

  const of = (card: ToolCard): ReactNode =>
    isQuestion(card) ? (
      <Suspense fallback={<Spinner label="Loading the questions" className="m-2 text-ink-faint" />}>
        <QuestionForm
          callId={card.id}
          questions={questionsOf(card)}
          answered={batch.choices.answers.some(({ call_id }) => call_id === card.id)}
          onAnswer={batch.answer}
        />
      </Suspense>
    ) : (
      <>
        {state.turnId !== undefined && isMeasurable(card) && (
          <Suspense fallback={null}>
            <CallEvidence
              place={place}
              turnId={state.turnId}
              card={card}
              onEvidence={(shown) => evidence.show(card.id, shown)}
            />
          </Suspense>
        )}
        {plans.renderSteps(card)}
        <CardDecision
          stepCount={plans.remainingSteps(card)}
          place={place}
          card={card}
          isStale={evidence.isStale(card.id)}
          isAdmin={organization.role === 'admin'}
          decision={batch.choices.decisions.find(({ call_id }) => call_id === card.id)}
          draft={batch.draft?.callId === card.id ? batch.draft.kind : undefined}
          onDraft={(kind) => batch.setDraft(kind && { callId: card.id, kind })}
          onDecide={(decision) => choose([decision])}
        />
      </>
    );
  const ready = plans.withStepsLeft(approvable(open));
  const decideAll = (approved: boolean) =>
    choose((approved ? ready : approvable(open)).map(({ id }) => ({ call_id: id, approved })));
  return {
    /** The controls of one pending card. */
    of,
    /** The decision so far about a card, in a word. */
    labelOf: (card: ToolCard) => decisionLabel(card, batch.choices),
    /** Why no message can be sent; undefined if nothing is pending. */
    blocked: blockedReason(open),
    /** The controls of all pending calls together, if there are several. */
    forAll: () =>
      approvable(open).length > 1 && (
        <div className="flex flex-wrap gap-2">
          <Button size="small" look="primary" onClick={() => decideAll(true)}>
            Approve all {ready.length}
          </Button>
          <Button size="small" onClick={() => decideAll(false)}>
            Reject all
          </Button>
        </div>
      ),
  };
}
