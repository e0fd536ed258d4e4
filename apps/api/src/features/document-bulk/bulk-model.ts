import {
  trashDays,
  type DocumentBulkAction,
  type DocumentBulkState,
  type DocumentSelection,
  type Role,
} from '@docwright/contract';
import type { StoredLease } from '../../platform/leases/leases.ts';
import type { Types } from 'mongoose';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

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
  /** The last document that this undo has looked at. Absent before the first. */
  last?: Types.ObjectId;
}

/** One action on many documents, which are chosen when the job is created. */
export type BulkRecord = StoredRecord<typeof bulkSchema>;

/** The state of one document before a bulk job changed it. */
export type BulkChangeRecord = StoredRecord<typeof changeSchema>;

/** How long a job can be undone after its end. */
export const bulkUndoPeriodMs = trashDays * 24 * 60 * 60 * 1000;
const jobRetentionSeconds = 90 * 24 * 60 * 60;

const bulkSchema = recordSchema(
  {
    organization_id: field.objectId,
    action: field.oneOf<DocumentBulkAction>(),
    state: field.oneOf<DocumentBulkState>(),
    /** Present while a worker has to execute the job or its undo. Never present for jobs that are runs. */
    active: field.mark.optional(),
    query: field.mixed<DocumentSelection>().orNull(),
    document_ids: field.objectId.list(),
    total: field.number.default(0),
    /** Chosen documents that are no part of the job. Absent if there are none. */
    left_out: field.number.optional(),
    /** The number of processed `document_ids`. */
    position: field.number.default(0),
    tag_ids: field.objectId.list(),
    prompt_id: field.text.orNull(),
    message: field.text.orNull(),
    run_id: field.objectId.orNull(),
    requested_by: field.objectId,
    /** The caller's role at the time. The job runs with the lesser of this role and their current one. */
    role: field.oneOf<Role>(),
    lease: field.mixed<StoredLease>().optionalOrNull(),
    claimed_at: field.date.optional(),
    attempts: field.number.optional(),
    stop_requested: field.flag.default(false),
    succeeded: field.number.default(0),
    unchanged: field.number.default(0),
    failed: field.number.default(0),
    failures: field
      .part({ document_id: field.text.unchecked(), code: field.text.unchecked(), message: field.text.unchecked() })
      .list(),
    undo: field.mixed<UndoRecord>().orNull(),
    error: field.mixed<Reason>().orNull(),
    /** The calls that created, stopped or undid the job. Those that stop or undo a run are in the run. */
    applied_calls: field.text.list().optional(),
    created_at: field.date,
    started_at: field.date.orNull(),
    ended_at: field.date.orNull(),
  },
  { collection: 'document_bulk_jobs', keepsEmptyObjects: true },
);
bulkSchema.index({ organization_id: 1, _id: -1 });
bulkSchema.index({ active: 1, _id: 1 }, { sparse: true });
bulkSchema.index({ created_at: 1 }, { expireAfterSeconds: jobRetentionSeconds });

const changeSchema = recordSchema(
  {
    organization_id: field.objectId,
    bulk_id: field.objectId,
    document_id: field.objectId,
    /** The tags that the job added or removed. */
    tag_ids: field.objectId.list().optional(),
    /** The state in the trash of a document that the job restored. */
    trashed: field
      .mixed<{ deleted_at: Date; deleted_by: Types.ObjectId | null; deleted_by_call: string | null }>()
      .optional(),
    undone: field.flag.default(false),
    /** When it was noted; absent in old records. */
    at: field.date.optional(),
    expires_at: field.date,
  },
  { collection: 'document_bulk_changes' },
);
changeSchema.index({ bulk_id: 1, document_id: 1 }, { unique: true });
changeSchema.index({ document_id: 1 });
changeSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const bulkModel = modelOf('DocumentBulk', bulkSchema);

export const bulkChangeModel = modelOf('DocumentBulkChange', changeSchema);
