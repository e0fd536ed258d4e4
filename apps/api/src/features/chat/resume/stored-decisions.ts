import { DomainError, type ApproveBody, type CallAnswers, type CallDecision } from '@docwright/contract';
import { isAwaiting, type DecidedTurnBatch, type StoredTurn } from '../../turns/index.ts';

type Decisions = Pick<ApproveBody, 'approvals' | 'answers'>;

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
    // Absent if the decision names no evaluation, as in decisions stored before evaluations existed.
    evaluationId?: string | null,
    steps?: [id: string, approved: boolean, args: string | null][],
  ][],
  answers: [callId: string, given: [questionId: string, optionIds: string[], other: string | null][]][],
];

/** The canonical form of decisions: independent of the order of calls and fields. */
export function canonicalDecisions({ approvals, answers = [] }: Decisions): string {
  const byCallId = (a: { call_id: string }, b: { call_id: string }) => (a.call_id < b.call_id ? -1 : 1);
  const canonical: CanonicalDecisions = [
    approvals
      .toSorted(byCallId)
      .map((decision) => [
        decision.call_id,
        decision.approved,
        decision.reason ?? null,
        decision.arguments ?? null,
        decision.remember ?? null,
        ...(decision.evaluation_id === undefined && decision.steps === undefined
          ? ([] as const)
          : ([decision.evaluation_id ?? null] as const)),
        ...(decision.steps === undefined
          ? ([] as const)
          : ([
              decision.steps
                .toSorted((a, b) => (a.id < b.id ? -1 : 1))
                .map((step): [string, boolean, string | null] => [step.id, step.approved, step.arguments ?? null]),
            ] as const)),
      ]) as CanonicalDecisions[0],
    answers
      .toSorted(byCallId)
      .map(({ call_id, answers: given }) => [
        call_id,
        given.map((answer) => [answer.question_id, answer.option_ids, answer.other ?? null]),
      ]),
  ];
  return JSON.stringify(canonical);
}

/** Parses the canonical form of decisions. */
export function parseDecisions(
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
 * The batch that was decided before with these same decisions. Undefined if they are new. Throws `already_decided` if
 * the batch was decided differently. Decisions that name no call reject everything: they apply to the pending batch, or
 * to the last decided one if none is pending.
 */
export function findRepeatedBatch(turn: StoredTurn, decisions: Decisions): DecidedTurnBatch | undefined {
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
    'These calls were already decided differently. The first decision stays; read the thread for its result.',
  );
}
