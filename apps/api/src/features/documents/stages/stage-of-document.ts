import type { DocumentStage, DocumentState } from '@docwright/contract';

/** What comes next for a document, as it is stored with it; `none` for those that no stage lists, such as duplicates. */
export type KeptStage = DocumentStage | 'none';

export const busyStates: DocumentState[] = ['uploaded', 'ocr_processing', 'llm_processing'];
export const failedStates: DocumentState[] = ['ocr_failed', 'llm_failed'];

/** The fields that decide the stage, as paths. A change of a part of one, or of what has it, can change the stage. */
export const decidingPaths = [
  'duplicate_of',
  'state',
  'auto_create.status',
  'review.is_verified',
  'review.is_incomplete',
  'review.to_check',
  'releases',
] as const;

/** The fields of a record that decide its stage. */
export interface DecidesStage {
  state: DocumentState;
  duplicate_of?: unknown;
  auto_create?: { status: string } | null;
  review?: { to_check?: number; is_verified?: boolean; is_incomplete?: boolean };
  releases?: readonly { state: string }[];
}

/** The stage of a record. `stageExpression` says the same for the database. */
export function stageOf({ state, duplicate_of, auto_create, review, releases }: DecidesStage): KeptStage {
  if (duplicate_of) return 'none';
  if (busyStates.includes(state)) return 'reading';
  if (failedStates.includes(state)) return 'needs_you';
  const { to_check = 0, is_verified = false, is_incomplete = false } = review ?? {};
  if (auto_create?.status === 'proposed' && !is_verified) return 'proposal';
  const isReleased = releases?.some((release) => release.state === 'released') ?? false;
  const asksSomething = is_incomplete || (to_check > 0 && !isReleased);
  if (state === 'llm_completed' && asksSomething) return 'needs_you';
  if (isReleased) return is_incomplete ? 'none' : 'released';
  return is_verified ? 'verified' : 'ready';
}

type Expression = object;
const not = (condition: Expression): Expression => ({ $not: [condition] });
const isTrue = (path: string): Expression => ({ $eq: [path, true] });
const isOneOf = (path: string, values: readonly string[]): Expression => ({ $in: [path, values] });

const isReleased = { $in: ['released', { $ifNull: ['$releases.state', []] }] };
const isVerified = isTrue('$review.is_verified');
const isIncomplete = isTrue('$review.is_incomplete');
const hasToCheck = { $gt: [{ $ifNull: ['$review.to_check', 0] }, 0] };
const asksSomething = { $or: [isIncomplete, { $and: [hasToCheck, not(isReleased)] }] };

/** The first stage whose condition is true. */
const cases: readonly [condition: Expression, stage: KeptStage][] = [
  [{ $gt: ['$duplicate_of', null] }, 'none'],
  [isOneOf('$state', busyStates), 'reading'],
  [isOneOf('$state', failedStates), 'needs_you'],
  [{ $and: [{ $eq: ['$auto_create.status', 'proposed'] }, not(isVerified)] }, 'proposal'],
  [{ $and: [{ $eq: ['$state', 'llm_completed'] }, asksSomething] }, 'needs_you'],
  [{ $and: [isReleased, isIncomplete] }, 'none'],
  [isReleased, 'released'],
  [isVerified, 'verified'],
];

/** The stage of a document, as an expression of the database. */
export const stageExpression = cases.reduceRight<Expression | KeptStage>(
  (otherwise, [condition, stage]) => ({ $cond: [condition, stage, otherwise] }),
  'ready',
);
