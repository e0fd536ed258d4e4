import type { CallAnswers, CallDecision } from '@docwright/contract';
import { useState } from 'react';
import type { CardDraft } from './card-decision.tsx';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import { isQuestion, noChoices, undecided, withAnswers, withDecisions, type BatchChoices } from './decision-batch.ts';

interface BatchDecision {
  choices: BatchChoices;
  /** The open form and its card. */
  draft: { callId: string; kind: CardDraft } | undefined;
  setDraft: (draft: { callId: string; kind: CardDraft } | undefined) => void;
  choose: (decisions: CallDecision[]) => void;
  answer: (answers: CallAnswers) => void;
}

/** Collects the decisions about pending cards, and sends them once every card is decided. */
export function useBatchDecision(
  pending: ToolCard[],
  send: (decisions: CallDecision[], answers: CallAnswers[]) => void,
): BatchDecision {
  const [choices, setChoices] = useState(noChoices);
  const [draft, setDraft] = useState<BatchDecision['draft']>();
  const update = (next: BatchChoices) => {
    setDraft(undefined);
    const pendingIds = new Set(pending.map(({ id }) => id));
    const current = {
      decisions: next.decisions.filter(({ call_id }) => pendingIds.has(call_id)),
      answers: next.answers.filter(({ call_id }) => pendingIds.has(call_id)),
    };
    if (undecided(pending, current).length > 0) {
      setChoices(current);
      return;
    }
    setChoices(noChoices);
    send(current.decisions, current.answers);
  };
  return {
    choices,
    draft,
    setDraft,
    choose: (decisions) => update(withDecisions(choices, decisions)),
    answer: (answers) => update(withAnswers(choices, answers)),
  };
}

/** The pending cards that can be approved or rejected: all but questions. */
export const approvable = (pending: ToolCard[]) => pending.filter((card) => !isQuestion(card));
