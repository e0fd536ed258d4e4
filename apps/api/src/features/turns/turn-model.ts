import type { Role, TurnStatus } from '@docwright/contract';
import type { OutboxEvent } from '../event-log/index.ts';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import { isOver } from '../../platform/database/database-clock.ts';
import type { ProcessIdentity } from '../../platform/leases/process-identity.ts';

/** A TurnAnswer as JSON: results have arbitrary field names, which a database might interpret. */
type StoredAnswer = string;

/** A decided batch: its calls, the decisions, and the result once it has run. */
export interface DecidedBatch {
  call_ids: string[];
  /** The decisions in a canonical form, so that a repeated request is recognized. */
  decisions: string;
  answer?: StoredAnswer;
  /** The number of events at that answer. */
  event_count?: number;
}

/** Whether a turn with this status waits for a decision or an answer. */
export function isAwaiting(status: TurnRecord['status']): boolean {
  return status === 'awaiting_approval' || status === 'awaiting_answers';
}

export interface TurnRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  document_id: Types.ObjectId;
  user_id: Types.ObjectId;
  thread_id: Types.ObjectId;
  status: TurnStatus | 'running';
  /** The answer at the last pause or the end. */
  answer?: StoredAnswer;
  event_count: number;
  /** No event of the turn was emitted under a higher id; a process that resumes the turn counts on from here. */
  event_bound?: number;
  /** A TurnBeginning as JSON: all that a process needs to restart the turn without a checkpoint. */
  beginning?: string;
  /** The user's role with the credentials of their last request: a process that resumes the turn grants no more. */
  role?: Role;
  /** How often it was resumed after its process died. */
  take_ups?: number;
  /** The process that runs it or ran it last. */
  holder?: ProcessIdentity;
  decided: DecidedBatch[];
  /** How many batches were decided; a decision is taken only on the batch it was made for. */
  decided_count: number;
  /** A pending turn can be decided until this time. */
  waiting_until?: Date;
  /** The end of the lease by the database's clock. A running turn with an expired lease was interrupted. */
  lease_until?: Date;
  /** Whether the lease had expired when the turn was read; not stored. */
  is_overdue?: boolean;
  /** Set if a user requested the stop in another process. */
  is_stop_asked?: boolean;
  /** Work of the queue: only the process that holds the lease on the document's run resumes it. */
  is_unattended?: boolean;
  run_id?: string;
  /** The last approver, if not the user of the turn: the turn has no more rights than the approver. */
  approver?: string;
  /** Events that are still to be published. */
  event_outbox?: OutboxEvent[];
  created_at: Date;
}

const id = { type: mongoose.Schema.Types.ObjectId, required: true };
const anything = mongoose.Schema.Types.Mixed;

const turnSchema = new mongoose.Schema<TurnRecord>(
  {
    organization_id: id,
    document_id: id,
    user_id: id,
    thread_id: id,
    status: { type: String, required: true },
    answer: { type: String },
    event_count: { type: Number, default: 0 },
    event_bound: { type: Number },
    beginning: { type: String },
    role: { type: String },
    take_ups: { type: Number },
    holder: { type: anything },
    decided: { type: anything, default: () => [] },
    decided_count: { type: Number, default: 0 },
    waiting_until: { type: Date },
    lease_until: { type: Date },
    is_stop_asked: { type: Boolean },
    is_unattended: { type: Boolean },
    run_id: { type: String },
    approver: { type: String },
    event_outbox: { type: [anything], default: undefined },
    created_at: { type: Date, required: true },
  },
  { collection: 'agent_turns', versionKey: false, autoIndex: false },
);
turnSchema.index({ thread_id: 1, status: 1 });
turnSchema.index({ 'event_outbox.id': 1 }, { sparse: true });
/** One turn at a time runs in a thread. */
turnSchema.index(
  { thread_id: 1 },
  { unique: true, partialFilterExpression: { status: 'running' }, name: 'one_running' },
);
/** Running turns, for the search for orphaned turns. */
turnSchema.index({ status: 1 }, { partialFilterExpression: { status: 'running' }, name: 'running' });

/** Reads a turn without those fields, but with whether its lease has expired by the database's clock. */
export function readFields(...without: (keyof TurnRecord)[]): Record<string, number | object> {
  const paths = Object.keys(turnSchema.paths).filter((path) => !without.some((one) => one === path));
  return { ...Object.fromEntries(paths.map((path) => [path, 1])), is_overdue: isOver('lease_until') };
}

export function turnModel(connection: Connection): Model<TurnRecord> {
  return connection.models['Turn'] ?? connection.model<TurnRecord>('Turn', turnSchema);
}
