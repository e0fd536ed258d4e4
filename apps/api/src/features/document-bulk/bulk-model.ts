import {
  trashDays,
  type DocumentBulkAction,
  type DocumentBulkState,
  type DocumentSelection,
  type Role,
} from '@docwright/contract';
import type { StoredLease } from '../../platform/leases/leases.ts';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

export interface Reason {
  code: string;
  message: string;
}

export interface UndoConflict {
  document_id: string;
  what: string;
  changed_by: string | null;
  changed_at: Date | null;
}

/** The progress of the undo of a bulk job. */
export interface UndoRecord {
  state: 'running' | 'completed' | 'incomplete';
  undone: number;
  /** The number of all conflicts; `conflicts` has the first ones. */
  conflict_count: number;
  conflicts: UndoConflict[];
}

/** One action on many documents, which are chosen when the job is created. */
export interface BulkRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  action: DocumentBulkAction;
  state: DocumentBulkState;
  /** Present while a worker has to execute the job or its undo. Never present for jobs that are runs. */
  active?: true;
  query: DocumentSelection | null;
  document_ids: Types.ObjectId[];
  total: number;
  /** Chosen documents that are no part of the job. Absent if there are none. */
  left_out?: number;
  /** The number of processed `document_ids`. */
  position: number;
  tag_ids: Types.ObjectId[];
  prompt_id: string | null;
  message: string | null;
  run_id: Types.ObjectId | null;
  requested_by: Types.ObjectId;
  /** The caller's role at the time. The job runs with the lesser of this role and their current one. */
  role: Role;
  lease?: StoredLease | null;
  stop_requested: boolean;
  succeeded: number;
  unchanged: number;
  failed: number;
  failures: (Reason & { document_id: string })[];
  undo: UndoRecord | null;
  error: Reason | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

/** The state of one document before a bulk job changed it. */
export interface BulkChangeRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  bulk_id: Types.ObjectId;
  document_id: Types.ObjectId;
  /** The tags that the job added or removed. */
  tag_ids?: Types.ObjectId[];
  /** The state in the trash of a document that the job restored. */
  trashed?: { deleted_at: Date; deleted_by: Types.ObjectId | null; deleted_by_call: string | null };
  undone: boolean;
  /** When it was noted; absent in old records. */
  at?: Date;
  expires_at: Date;
}

/** How long a job can be undone after its end. */
export const bulkUndoPeriodMs = trashDays * 24 * 60 * 60 * 1000;
const jobRetentionSeconds = 90 * 24 * 60 * 60;

const id = { type: mongoose.Schema.Types.ObjectId, required: true } as const;
const text = { type: String, required: true } as const;
const count = { type: Number, default: 0 } as const;
const mixed = { type: mongoose.Schema.Types.Mixed, default: null } as const;

const failureSchema = new mongoose.Schema<BulkRecord['failures'][number]>(
  { document_id: String, code: String, message: String },
  { _id: false },
);

const bulkSchema = new mongoose.Schema<BulkRecord>(
  {
    organization_id: id,
    action: text,
    state: text,
    active: { type: Boolean },
    query: mixed,
    document_ids: { type: [mongoose.Schema.Types.ObjectId], default: [] },
    total: count,
    left_out: { type: Number },
    position: count,
    tag_ids: { type: [mongoose.Schema.Types.ObjectId], default: [] },
    prompt_id: { type: String, default: null },
    message: { type: String, default: null },
    run_id: { type: mongoose.Schema.Types.ObjectId, default: null },
    requested_by: id,
    role: text,
    lease: { type: mongoose.Schema.Types.Mixed },
    stop_requested: { type: Boolean, default: false },
    succeeded: count,
    unchanged: count,
    failed: count,
    failures: { type: [failureSchema], default: [] },
    undo: mixed,
    error: mixed,
    created_at: { type: Date, required: true },
    started_at: { type: Date, default: null },
    ended_at: { type: Date, default: null },
  },
  { collection: 'document_bulk_jobs', versionKey: false, minimize: false, autoIndex: false },
);
bulkSchema.index({ organization_id: 1, _id: -1 });
bulkSchema.index({ active: 1, _id: 1 }, { sparse: true });
bulkSchema.index({ created_at: 1 }, { expireAfterSeconds: jobRetentionSeconds });

const changeSchema = new mongoose.Schema<BulkChangeRecord>(
  {
    organization_id: id,
    bulk_id: id,
    document_id: id,
    tag_ids: { type: [mongoose.Schema.Types.ObjectId], default: undefined },
    trashed: { type: mongoose.Schema.Types.Mixed },
    undone: { type: Boolean, default: false },
    at: { type: Date },
    expires_at: { type: Date, required: true },
  },
  { collection: 'document_bulk_changes', versionKey: false, autoIndex: false },
);
changeSchema.index({ bulk_id: 1, document_id: 1 }, { unique: true });
changeSchema.index({ document_id: 1 });
changeSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export function bulkModel(connection: Connection): Model<BulkRecord> {
  return connection.models['DocumentBulk'] ?? connection.model<BulkRecord>('DocumentBulk', bulkSchema);
}

export function bulkChangeModel(connection: Connection): Model<BulkChangeRecord> {
  return (
    connection.models['DocumentBulkChange'] ?? connection.model<BulkChangeRecord>('DocumentBulkChange', changeSchema)
  );
}
