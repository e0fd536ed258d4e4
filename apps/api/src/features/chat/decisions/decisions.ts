import { DomainError, type ApproveBody, type CallAnswers, type CallDecision } from '@docwright/contract';
import { isAwaiting, type DecidedTurnBatch, type StoredTurn } from '../../turns/index.ts';
type Decisions = Pick<ApproveBody, 'approvals' | 'answers'>;

/** The calls that decisions speak of. */
function decidedCallIds({ approvals, answers = [] }: Decisions): string[] {
  return [...approvals, ...answers].map(({ call_id }) => call_id);
}

type CanonicalDecisions = [
  approvals: [
    callId: string,
    approved: boolean,
    reason: string | null,
    args: string | null,
    remember: NonNullable<CallDecision['remember']> | null,
    // Absent where none is named, as in decisions that were stored before there were any.
    evaluationId?: string | null,
    steps?: [id: string, approved: boolean, args: string | null][],
  ][],
  answers: [callId: string, given: [questionId: string, optionIds: string[], other: string | null][]][],
];

/** The canonical form of decisions: independent of the order of calls and fields. */
export function canonicalDecisions({ approvals, answers = [] }: Decisions): string {
  const byCall = (one: { call_id: string }, other: { call_id: string }) => (one.call_id < other.call_id ? -1 : 1);
  const canonical: CanonicalDecisions = [
    approvals
      .toSorted(byCall)
      .map((each) => [
        each.call_id,
        each.approved,
        each.reason ?? null,
        each.arguments ?? null,
        each.remember ?? null,
        ...(each.evaluation_id === undefined && each.steps === undefined
          ? ([] as const)
          : ([each.evaluation_id ?? null] as const)),
        ...(each.steps === undefined
          ? ([] as const)
          : ([
              each.steps
                .toSorted((one, other) => (one.id < other.id ? -1 : 1))
                .map((step): [string, boolean, string | null] => [step.id, step.approved, step.arguments ?? null]),
            ] as const)),
      ]) as CanonicalDecisions[0],
    answers
      .toSorted(byCall)
      .map((each) => [
        each.call_id,
        each.answers.map((answer) => [answer.question_id, answer.option_ids, answer.other ?? null]),
      ]),
  ];
  return JSON.stringify(canonical);
}

/** Decisions as they were made, from their one spelling. */
export function decisionsFrom(
  canonical: string,
): Required<Pick<ApproveBody, 'approvals'>> & { answers: CallAnswers[] } {
  const [approvals, answers]: CanonicalDecisions = JSON.parse(canonical);
  return {
    approvals: approvals.map(([call_id, approved, reason, args, remember, evaluation_id, steps]) => ({
      call_id,
      approved,
      ...(reason !== null && { reason }),
      ...(args !== null && { arguments: args }),
      ...(remember !== null && { remember }),
      ...(typeof evaluation_id === 'string' && { evaluation_id }),
      ...(steps !== undefined && {
        steps: steps.map(([id, isApproved, edited]) => ({
          id,
          approved: isApproved,
          ...(edited !== null && { arguments: edited }),
        })),
      }),
    })),
    answers: answers.map(([call_id, given]) => ({
      call_id,
      answers: given.map(([question_id, option_ids, other]) => ({
        question_id,
        option_ids,
        ...(other !== null && { other }),
      })),
    })),
  };
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
