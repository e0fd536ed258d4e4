import type { OnAsk, ReplaceLevel, Role } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import type { StoredLease } from '../../platform/leases/leases.ts';
import type { HeadlessKind, HeadlessState } from './headless-queue.ts';

/** How long ended runs and the outcomes of their documents are kept. */
export const endedRunRetentionMs = 90 * 24 * 60 * 60 * 1000;

export interface DocumentRunRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  document_id: Types.ObjectId;
  /** The batch. */
  run_id: Types.ObjectId | null;
  kind: HeadlessKind;
  message: string | null;
  prompt_id: string | null;
  /** Which user edits it can replace; none if absent. */
  replace?: ReplaceLevel;
  on_ask?: OnAsk;
  /** The parked turn, which the next attempt resumes. */
  parked_turn?: string;
  schedule_id?: Types.ObjectId;
  auto_approved_tools: string[];
  requested_by: string;
  /** The maximum role, whatever the requester's role is at execution. */
  role: Role;
  state: HeadlessState;
  /** The position in its lane of the queue, smallest first; interleaves organizations. */
  rank: number;
  /** Set for work that a user waits for; claimed before all other. */
  lane?: 'few';
  /** The number of attempts. */
  attempts: number;
  lease?: StoredLease | null;
  /** The turn of each attempt, latest last. */
  turn_ids: string[];
  thread_id: string | null;
  is_cancel_asked: boolean;
  /** The run whose result this one might use; this run is not claimed before that one has ended. */
  waits_for?: Types.ObjectId;
  waits?: number;
  queued_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  error: { code: string; message: string } | null;
  spu_used: number;
  /** The proposal of a succeeded run. */
  proposal: { prompt_revid: string; schema_revid?: string; created?: true } | null;
  /** An AgentLog as JSON text: results contain arbitrary field names. */
  log: string | null;
  /** The document while its auto-create is queued or runs; unique, so there is one at a time. */
  auto_create_of?: Types.ObjectId;
  /** Set at the end of runs that expire: those of a batch without a proposal. */
  expires_at?: Date;
  /** It has ended, and its document might not show the outcome yet. */
  is_unsettled?: boolean;
  /** Set when its writes were undone with its run. */
  undone_at?: Date;
  undone_calls?: number;
}

/** The same retention as its batch. */
export const expiresAt = (): Date => new Date(Date.now() + endedRunRetentionMs);

const id = { type: mongoose.Schema.Types.ObjectId, required: true };
const text = { type: String, required: true };
const mixed = mongoose.Schema.Types.Mixed;

const documentRunSchema = new mongoose.Schema<DocumentRunRecord>(
  {
    organization_id: id,
    document_id: id,
    run_id: { type: mongoose.Schema.Types.ObjectId, default: null },
    kind: text,
    message: { type: String, default: null },
    prompt_id: { type: String, default: null },
    replace: { type: String },
    on_ask: { type: String },
    parked_turn: { type: String },
    schedule_id: { type: mongoose.Schema.Types.ObjectId },
    auto_approved_tools: { type: [String], default: [] },
    requested_by: text,
    role: text,
    state: text,
    rank: { type: Number, required: true },
    lane: { type: String },
    attempts: { type: Number, default: 0 },
    lease: { type: mixed },
    turn_ids: { type: [String], default: [] },
    thread_id: { type: String, default: null },
    is_cancel_asked: { type: Boolean, default: false },
    waits_for: { type: mongoose.Schema.Types.ObjectId },
    waits: { type: Number },
    queued_at: { type: Date, required: true },
    started_at: { type: Date, default: null },
    ended_at: { type: Date, default: null },
    error: { type: mixed, default: null },
    spu_used: { type: Number, default: 0 },
    proposal: { type: mixed, default: null },
    log: { type: String, default: null },
    auto_create_of: { type: mongoose.Schema.Types.ObjectId },
    is_unsettled: { type: Boolean },
    undone_at: { type: Date },
    undone_calls: { type: Number },
    expires_at: { type: Date },
  },
  { collection: 'document_runs', versionKey: false, autoIndex: false },
);
documentRunSchema.index({ state: 1, rank: 1, _id: 1 });
documentRunSchema.index({ lane: 1, state: 1, rank: 1, _id: 1 }, { sparse: true });
documentRunSchema.index({ organization_id: 1, rank: -1 });
documentRunSchema.index({ organization_id: 1, run_id: 1, _id: 1 });
documentRunSchema.index({ document_id: 1, _id: -1 });
documentRunSchema.index({ auto_create_of: 1 }, { unique: true, sparse: true });
documentRunSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
documentRunSchema.index({ is_unsettled: 1 }, { sparse: true });
documentRunSchema.index({ waits_for: 1 }, { sparse: true });

export function documentRunModel(connection: Connection): Model<DocumentRunRecord> {
  return connection.models['DocumentRun'] ?? connection.model<DocumentRunRecord>('DocumentRun', documentRunSchema);
}
