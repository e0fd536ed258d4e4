import type { CallAnswers, CallDecision } from '@docwright/contract';
import { useState } from 'react';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';
import type { CardDraft } from './card-decision.tsx';

/** The user's decisions and answers so far about the cards of a batch. */
export interface BatchChoices {
  decisions: CallDecision[];
  answers: CallAnswers[];
}

export const noChoices: BatchChoices = { decisions: [], answers: [] };

export function withDecisions(choices: BatchChoices, decisions: CallDecision[]): BatchChoices {
  const changed = new Set(decisions.map(({ call_id }) => call_id));
  return {
    ...choices,
    decisions: [...choices.decisions.filter(({ call_id }) => !changed.has(call_id)), ...decisions],
  };
}

export function withAnswers(choices: BatchChoices, answers: CallAnswers): BatchChoices {
  return {
    ...choices,
    answers: [...choices.answers.filter(({ call_id }) => call_id !== answers.call_id), answers],
  };
}

/** The decision so far about a card, in a word. */
export function decisionLabel({ id }: ToolCard, { decisions, answers }: BatchChoices): string | undefined {
  if (answers.some(({ call_id }) => call_id === id)) return 'Answered';
  const decision = decisions.find(({ call_id }) => call_id === id);
  return decision && (decision.approved ? 'Approved' : 'Rejected');
}

export const isQuestion = (card: ToolCard) => card.name === 'ask_questions';

/** The pending cards without a decision. The batch is sent once there are none. */
export function undecided(pending: ToolCard[], { decisions, answers }: BatchChoices): ToolCard[] {
  const decided = new Set([...decisions, ...answers].map(({ call_id }) => call_id));
  return pending.filter((card) => !decided.has(card.id));
}

/** Why sending is off while cards are pending; undefined without any. */
export function blockedReason(open: ToolCard[]): string | undefined {
  if (open.length === 0) return undefined;
  if (open.every(isQuestion)) return 'Answer above to continue.';
  const calls = open.filter((card) => !isQuestion(card));
  if (calls.length > 1) return `Approve or reject the ${calls.length} steps above to continue.`;
  return `Approve or reject the ${calls[0]?.name === 'propose_plan' ? 'plan' : 'step'} above to continue.`;
}

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
