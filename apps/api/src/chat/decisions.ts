import { DomainError, type ApproveBody } from '@docwright/contract';
import { isAwaiting } from './turn-model.ts';
import type { DecidedTurnBatch, StoredTurn } from './turn-repository.ts';

type Decisions = Pick<ApproveBody, 'approvals' | 'answers'>;

/** The calls that decisions speak of. */
export function decidedCallIds({ approvals, answers = [] }: Decisions): string[] {
  return [...approvals, ...answers].map(({ call_id }) => call_id);
}

/** Decisions in one spelling, whatever the order of calls and of fields. */
export function canonicalDecisions({ approvals, answers = [] }: Decisions): string {
  const byCall = (one: { call_id: string }, other: { call_id: string }) => (one.call_id < other.call_id ? -1 : 1);
  return JSON.stringify([
    approvals
      .toSorted(byCall)
      .map((each) => [each.call_id, each.approved, each.reason ?? null, each.arguments ?? null, each.remember ?? null]),
    answers
      .toSorted(byCall)
      .map((each) => [
        each.call_id,
        each.answers.map((answer) => [answer.question_id, answer.option_ids, answer.other ?? null]),
      ]),
  ]);
}

/**
 * The batch that these decisions were made on before, if they are a repeat. Throws `already_decided` where a batch they
 * speak of was decided otherwise. Decisions that name no call (all is rejected) speak of the batch that waits, or of the
 * last one where none does.
 */
export function repeatedBatch(turn: StoredTurn, decisions: Decisions): DecidedTurnBatch | undefined {
  const callIds = decidedCallIds(decisions);
  const batch =
    callIds.length > 0
      ? turn.decided.find(({ call_ids }) => call_ids.some((id) => callIds.includes(id)))
      : isAwaiting(turn.status)
        ? undefined
        : turn.decided.at(-1);
  if (!batch) return undefined;
  if (batch.decisions === canonicalDecisions(decisions)) return batch;
  throw new DomainError(
    'conflict',
    'already_decided',
    'These calls were decided before, and otherwise. The first decision stands; read the thread for what came of it.',
  );
}
