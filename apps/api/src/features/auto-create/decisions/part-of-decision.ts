import { randomUUID } from 'node:crypto';
import type { WriteOrigin } from '../../../turn-writes/write-origin.ts';

/** The origin of a write that belongs to a decision: the decision's entry in the audit log covers it. */
export const partOfDecision = (): WriteOrigin => ({ call_id: `decision-${randomUUID()}` });
