import type { ApprovalDecision, Role } from '@docwright/contract';
import mongoose, { type QueryFilter } from 'mongoose';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

/** The decision on one call while others of its batch are still undecided. */
export type StoredDecision = Omit<ApprovalDecision, 'turn_id' | 'call_id'> & { by: string; role: Role };

/** A pending call with the fields that lists need; its turn has the rest. */
export type PendingCallRecord = StoredRecord<typeof pendingCallSchema>;

const pendingCallSchema = recordSchema(
  {
    call_id: field.text,
    turn_id: field.objectId,
    organization_id: field.objectId,
    document_id: field.objectId,
    thread_id: field.objectId,
    /** The user of the chat or run. */
    user_id: field.objectId,
    tool: field.text,
    group: field.text,
    /** The arguments that name the document, by path. */
    names: field.mixed<Record<string, string>>().default(() => ({})),
    /** Set if the turn is unattended. */
    is_unattended: field.flag,
    run_id: field.text.optional(),
    waiting_since: field.date,
    expires_at: field.date,
    decision: field.mixed<StoredDecision>().orNull(),
    /** When it was decided, while other calls of its batch are undecided or the turn is not resumed yet. */
    decided_at: field.date.optional(),
    /** When the span of a wait that nobody ended was sent. */
    wait_traced_at: field.date.optional(),
  },
  { collection: 'waiting_calls', keepsEmptyObjects: true },
);
pendingCallSchema.index({ call_id: 1 }, { unique: true });
pendingCallSchema.index({ turn_id: 1 });
pendingCallSchema.index({ document_id: 1 });
pendingCallSchema.index({ organization_id: 1, expires_at: 1, _id: 1 });
pendingCallSchema.index({ decided_at: 1 }, { sparse: true });
pendingCallSchema.index({ run_id: 1 }, { sparse: true });
// The database deletes calls one hour after their expiry.
pendingCallSchema.index({ expires_at: 1 }, { expireAfterSeconds: 3600 });

export const pendingCallModel = modelOf('WaitingCall', pendingCallSchema);

/** The open calls that a user can decide: their own, and for an admin also those of all runs and schedules. */
export function pendingFor({ userId, isAdmin }: { userId: string; isAdmin: boolean }): QueryFilter<PendingCallRecord> {
  const own = { user_id: new mongoose.Types.ObjectId(userId) };
  const open = { decision: null, expires_at: { $gt: new Date() } };
  return isAdmin ? { ...open, $or: [own, { is_unattended: true }] } : { ...open, ...own };
}
