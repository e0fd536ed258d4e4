import type { Role, TurnStatus } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import { isOver } from '../../platform/database/database-clock.ts';
import type { ProcessIdentity } from '../../platform/leases/process-identity.ts';

/** A TurnAnswer as JSON: results carry field names that are anybody's, which a database may take for its own. */
type StoredAnswer = string;

/** A batch that was decided: which calls, how, and what came of it once it has run. */
export interface DecidedBatch {
  call_ids: string[];
  /** The decisions in one spelling, to tell a repeat from other decisions. */
  decisions: string;
  answer?: StoredAnswer;
  /** How many events the turn had said with that answer. */
  event_count?: number;
}

/** Whether a turn of this status waits for a person. */
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
  /** As it was given at the last pause or the end. */
  answer?: StoredAnswer;
  event_count: number;
  /** No event of the turn has been told under a higher id; whoever takes it up from a dead process counts on from here. */
  event_bound?: number;
  /** A TurnBeginning as JSON: what any process needs to begin the turn anew where nothing of it was kept. */
  beginning?: string;
  /** The role of the person with the credentials they last came with: no more is granted, whoever goes on. */
  role?: Role;
  /** How often it was taken up from a dead process. */
  take_ups?: number;
  /** The process that runs it or ran it last. */
  holder?: ProcessIdentity;
  decided: DecidedBatch[];
  /** How many batches were decided; a decision is taken only on the batch it was made for. */
  decided_count: number;
  /** Until when a waiting turn can be decided. */
  waiting_until?: Date;
  /** A running turn whose process renews this no longer was interrupted; by the database's clock. */
  lease_until?: Date;
  /** Whether that time had come when the turn was read; not stored. */
  is_overdue?: boolean;
  /** Somebody asked for its end where it does not run. */
  is_stop_asked?: boolean;
  /** Work of the queue: whoever holds the document's run goes on with it, and nobody else. */
  is_unattended?: boolean;
  run_id?: string;
  /** Who decided last, where that is not the turn's person: nothing beyond their rights runs. */
  approver?: string;
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
    created_at: { type: Date, required: true },
  },
  { collection: 'agent_turns', versionKey: false, autoIndex: false },
);
turnSchema.index({ thread_id: 1, status: 1 });
/** One turn at a time runs in a thread. */
turnSchema.index(
  { thread_id: 1 },
  { unique: true, partialFilterExpression: { status: 'running' }, name: 'one_running' },
);
/** What runs, for whoever looks for turns that a dead process has left. */
turnSchema.index({ status: 1 }, { partialFilterExpression: { status: 'running' }, name: 'running' });

/** What a turn is read with, save those fields: whether its lease is over is the database's to say. */
export function readFields(...without: (keyof TurnRecord)[]): Record<string, number | object> {
  const paths = Object.keys(turnSchema.paths).filter((path) => !without.some((one) => one === path));
  return { ...Object.fromEntries(paths.map((path) => [path, 1])), is_overdue: isOver('lease_until') };
}

export function turnModel(connection: Connection): Model<TurnRecord> {
  return connection.models['Turn'] ?? connection.model<TurnRecord>('Turn', turnSchema);
}
