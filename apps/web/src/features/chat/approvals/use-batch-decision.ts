import type { CallAnswers, CallDecision } from '@docwright/contract';
import { useState } from 'react';
import type { CardDraft } from './card-decision.tsx';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import { isQuestion, noChoices, undecided, withAnswers, withDecisions, type BatchChoices } from './decision-batch.ts';

interface BatchDecision {
  choices: BatchChoices;
  /** What is being written about which card. */
  draft: { callId: string; kind: CardDraft } | undefined;
  setDraft: (draft: { callId: string; kind: CardDraft } | undefined) => void;
  choose: (decisions: CallDecision[]) => void;
  answer: (answers: CallAnswers) => void;
}

/** Gathers what the person says about each waiting card, and sends the batch once every card has its word. */
export function useBatchDecision(
  waiting: ToolCard[],
  send: (decisions: CallDecision[], answers: CallAnswers[]) => void,
): BatchDecision {
  const [choices, setChoices] = useState(noChoices);
  const [draft, setDraft] = useState<BatchDecision['draft']>();
  const take = (next: BatchChoices) => {
    setDraft(undefined);
    const present = new Set(waiting.map(({ id }) => id));
    const own = {
      decisions: next.decisions.filter(({ call_id }) => present.has(call_id)),
      answers: next.answers.filter(({ call_id }) => present.has(call_id)),
    };
    if (undecided(waiting, own).length > 0) {
      setChoices(own);
      return;
    }
    setChoices(noChoices);
    send(own.decisions, own.answers);
  };
  return {
    choices,
    draft,
    setDraft,
    choose: (decisions) => take(withDecisions(choices, decisions)),
    answer: (answers) => take(withAnswers(choices, answers)),
  };
}

/** Those that Approve and Reject are for. */
export const approvable = (waiting: ToolCard[]) => waiting.filter((card) => !isQuestion(card));
