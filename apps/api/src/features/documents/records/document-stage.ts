import type { DocumentStage, DocumentState } from '@docwright/contract';
import { objectIdsOf } from '../../../platform/database/object-id.ts';

const busy: DocumentState[] = ['uploaded', 'ocr_processing', 'llm_processing'];
const failed: DocumentState[] = ['ocr_failed', 'llm_failed'];
const idle: DocumentState[] = ['ocr_completed', 'llm_completed'];

const isVerified = { 'review.is_verified': true };
const isReleased = { 'releases.state': 'released' };
const isNotReleased = { 'releases.state': { $ne: 'released' } };
const isNotProposed = { $or: [{ 'auto_create.status': { $ne: 'proposed' } }, isVerified] };
const isComplete = { 'review.is_incomplete': { $in: [false, null] } };
/** Whoever released a result with open values has decided that it can be used. */
const asksForValues = { ...isComplete, 'review.to_check': { $gt: 0 }, ...isNotReleased };
const asksSomething = { $or: [asksForValues, { 'review.is_incomplete': true }] };
/** Without a result nothing is asked: the marks of a removed one, such as a rejected proposal’s, are kept until the next. */
const asksNothing = { $or: [{ state: 'ocr_completed' }, { 'review.to_check': { $in: [null, 0] }, ...isComplete }] };

/**
 * Selects documents by what comes next for them. `waiting` has the ids of the documents with a call that the user can
 * decide. The web app's labels follow the same order: a call that waits comes before a proposal, and that before values.
 */
export function stageFilter(stage: DocumentStage, waiting: readonly string[]): { $and: object[] } {
  const ids = objectIdsOf(waiting);
  const isQuiet = { duplicate_of: null, _id: { $nin: ids }, state: { $in: idle } };
  const settled = [isQuiet, isNotProposed, asksNothing];
  switch (stage) {
    case 'reading':
      return { $and: [{ duplicate_of: null, _id: { $nin: ids }, state: { $in: busy } }] };
    case 'needs_you': {
      const hasResult = { $and: [{ state: 'llm_completed' }, isNotProposed, asksSomething] };
      return {
        $and: [{ duplicate_of: null }, { $or: [{ _id: { $in: ids } }, { state: { $in: failed } }, hasResult] }],
      };
    }
    case 'proposal':
      return { $and: [isQuiet, { 'auto_create.status': 'proposed', 'review.is_verified': { $ne: true } }] };
    case 'released':
      return { $and: [isQuiet, isNotProposed, isComplete, isReleased] };
    case 'verified':
      return { $and: [...settled, isVerified, isNotReleased] };
    case 'ready':
      return { $and: [...settled, { 'review.is_verified': { $ne: true } }, isNotReleased] };
  }
}
