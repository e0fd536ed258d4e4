import { autoCreateStatus, type DocumentStage, type DocumentState } from '@docwright/contract';
import { objectIdsOf } from '../../../platform/database/object-id.ts';
import { busyStates, failedStates } from './stage-of-document.ts';

const idle: DocumentState[] = ['ocr_completed', 'llm_completed'];

/** Values in place of “not”: an index has them, in the order of dates. */
const isVerified = { 'review.is_verified': true };
const isNotVerified = { 'review.is_verified': { $in: [false, null] } };
const isReleased = { 'releases.state': 'released' };
const isNotReleased = { 'releases.state': { $ne: 'released' } };
const isNotProposed = {
  'auto_create.status': { $in: [null, ...autoCreateStatus.options.filter((status) => status !== 'proposed')] },
};
/** Says nothing but for the index, whose further fields then count too. */
const hasAnyProposal = { 'auto_create.status': { $in: [null, ...autoCreateStatus.options] } };
const isProposed = { 'auto_create.status': 'proposed' };
const isComplete = { 'review.is_incomplete': { $in: [false, null] } };
/** A user who released a result with open values has decided that it can be used. */
const asksForValues = { ...isComplete, 'review.to_check': { $gt: 0 }, ...isNotReleased };
const asksSomething = { $or: [asksForValues, { 'review.is_incomplete': true }] };
/** Without a result nothing is asked: the marks of a removed one, such as a rejected proposal’s, are kept until the next. */
const asksNothing = [
  { state: 'ocr_completed' },
  { state: 'llm_completed', 'review.to_check': { $in: [null, 0] }, ...isComplete },
];

/** The documents whose next step is decided by more than their own fields, and whether these fields need not be looked at. */
export interface StageFacts {
  /** The ids of the documents with a call that the user can decide. */
  waiting: readonly string[];
  /** Whether each document of the organization has its stage stored with it. */
  areKept: boolean;
}

/** Adds the stage to a filter; conditions of paths that it has already are added beside them. */
export function addStage(
  filter: Record<string, unknown>,
  stage: DocumentStage,
  { waiting, areKept }: StageFacts,
): void {
  const entries = Object.entries(areKept ? keptFilter(stage, waiting) : stageFilter(stage, waiting));
  const others = entries.filter(([path]) => path in filter);
  for (const [path, condition] of entries) if (!(path in filter)) filter[path] = condition;
  if (others.length > 0) filter['$and'] = others.map(([path, condition]) => ({ [path]: condition }));
}

/** The same as `stageFilter` by the stored stage, which one range of an index has. */
function keptFilter(stage: DocumentStage, waiting: readonly string[]): Record<string, unknown> {
  if (waiting.length === 0) return { stage };
  const ids = objectIdsOf(waiting);
  if (stage === 'needs_you') return { $or: [{ stage }, { _id: { $in: ids }, duplicate_of: null }] };
  return { stage, _id: { $nin: ids } };
}

/**
 * Selects documents by what comes next for them. `waiting` has the ids of the documents with a call that the user can
 * decide. The web app's labels follow the same order: a call that waits comes before a proposal, and that before values.
 */
function stageFilter(stage: DocumentStage, waiting: readonly string[]): Record<string, unknown> {
  const ids = objectIdsOf(waiting);
  // An empty list says nothing, and no index can decide it.
  const isOwn = { duplicate_of: null, ...(ids.length > 0 && { _id: { $nin: ids } }) };
  const either = (branches: readonly object[], more: object) => branches.map((branch) => ({ ...branch, ...more }));
  switch (stage) {
    case 'reading':
      return { ...isOwn, state: { $in: busyStates } };
    case 'needs_you': {
      const decided = { $or: [isNotProposed, { ...isProposed, ...isVerified }] };
      const hasResult = { $and: [{ state: 'llm_completed' }, decided, asksSomething] };
      return { duplicate_of: null, $or: [{ _id: { $in: ids } }, { state: { $in: failedStates } }, hasResult] };
    }
    case 'proposal':
      return { ...isOwn, state: { $in: idle }, ...isProposed, ...isNotVerified };
    case 'released': {
      const branches = [isNotProposed, { ...isProposed, ...isVerified }];
      const settled = { 'review.is_incomplete': { $ne: true }, ...isReleased };
      return { ...isOwn, state: { $in: idle }, ...settled, $or: branches };
    }
    case 'verified':
      return { ...isOwn, ...isNotReleased, $or: either(asksNothing, { ...hasAnyProposal, ...isVerified }) };
    case 'ready':
      return { ...isOwn, ...isNotReleased, $or: either(asksNothing, { ...isNotProposed, ...isNotVerified }) };
  }
}
