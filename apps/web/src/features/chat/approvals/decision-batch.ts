import type { CallAnswers, CallDecision } from '@docwright/contract';
import type { ToolCard } from '../../../agent-ui/chat-state.ts';

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
