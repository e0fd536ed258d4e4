import type { ApprovalDecision, Role } from '@docwright/contract';
import mongoose, { type Connection, type Model, type QueryFilter, type Types } from 'mongoose';

/** The decision on one call while others of its batch are still undecided. */
export type StoredDecision = Omit<ApprovalDecision, 'turn_id' | 'call_id'> & { by: string; role: Role };

/** A pending call with the fields that lists need; its turn has the rest. */
export interface PendingCallRecord {
  _id: Types.ObjectId;
  call_id: string;
  turn_id: Types.ObjectId;
  organization_id: Types.ObjectId;
  document_id: Types.ObjectId;
  thread_id: Types.ObjectId;
  /** The user of the chat or run. */
  user_id: Types.ObjectId;
  tool: string;
  group: string;
  /** The arguments that name the document, by path. */
  names: Record<string, string>;
  /** Set if the turn is unattended. */
  is_unattended: boolean;
  run_id?: string;
  waiting_since: Date;
  expires_at: Date;
  decision: StoredDecision | null;
  /** When it was decided, while other calls of its batch are undecided or the turn is not resumed yet. */
  decided_at?: Date;
}

const id = { type: mongoose.Schema.Types.ObjectId, required: true } as const;
const text = { type: String, required: true } as const;
const mixed = mongoose.Schema.Types.Mixed;

const pendingCallSchema = new mongoose.Schema<PendingCallRecord>(
  {
    call_id: text,
    turn_id: id,
    organization_id: id,
    document_id: id,
    thread_id: id,
    user_id: id,
    tool: text,
    group: text,
    names: { type: mixed, default: () => ({}) },
    is_unattended: { type: Boolean, required: true },
    run_id: { type: String },
    waiting_since: { type: Date, required: true },
    expires_at: { type: Date, required: true },
    decision: { type: mixed, default: null },
    decided_at: { type: Date },
  },
  { collection: 'waiting_calls', versionKey: false, minimize: false, autoIndex: false },
);
pendingCallSchema.index({ call_id: 1 }, { unique: true });
pendingCallSchema.index({ turn_id: 1 });
pendingCallSchema.index({ document_id: 1 });
pendingCallSchema.index({ organization_id: 1, expires_at: 1, _id: 1 });
pendingCallSchema.index({ decided_at: 1 }, { sparse: true });
pendingCallSchema.index({ run_id: 1 }, { sparse: true });
// The database deletes calls one hour after their expiry.
pendingCallSchema.index({ expires_at: 1 }, { expireAfterSeconds: 3600 });

export function pendingCallModel(connection: Connection): Model<PendingCallRecord> {
  return connection.models['WaitingCall'] ?? connection.model<PendingCallRecord>('WaitingCall', pendingCallSchema);
}

/** The open calls that a user can decide: their own, and for an admin also those of all runs and schedules. */
export function pendingFor({ userId, isAdmin }: { userId: string; isAdmin: boolean }): QueryFilter<PendingCallRecord> {
  const own = { user_id: new mongoose.Types.ObjectId(userId) };
  const open = { decision: null, expires_at: { $gt: new Date() } };
  return isAdmin ? { ...open, $or: [own, { is_unattended: true }] } : { ...open, ...own };
}
