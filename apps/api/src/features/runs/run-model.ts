import { indexOutbox, type OutboxEvent } from '../event-log/index.ts';
import type {
  DocumentFilter,
  OnAsk,
  ReplaceLevel,
  Role,
  RunAction,
  RunState,
  RunTrigger,
  RunUndo,
  RunUndoConflict,
} from '@docwright/contract';
import type { StoredLease } from '../../platform/leases/leases.ts';
import { endedRunRetentionMs } from '../headless/index.ts';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

/** The counts when the run ended. Documents that waited for a decision continue later: `waiting` is above 0 then. */
export interface RunFinal {
  succeeded: number;
  failed: number;
  cancelled: number;
  spu_used: number;
  skipped?: number;
  waiting?: number;
}

/** The undo of a run. */
export interface RunUndoRecord {
  state: RunUndo['state'];
  undone: number;
  conflicts: RunUndoConflict[];
  requested_by: string;
  started_at: Date;
  ended_at: Date | null;
  /** What this undo has done before its turn was over. */
  pass?: UndoPass;
}

/** One pass of an undo over the documents of a run. Those that others of the run block are tried in a next one. */
export interface UndoPass {
  /** The ids of the document runs that were not undone. */
  blocked: string[];
  conflicts: RunUndoConflict[];
  /** Whether a document was undone in it. */
  isProgress: boolean;
}

export interface Failure {
  code: string;
  message: string;
}

/** Why a run ends that cannot be worked on. */
export const damaged: Failure = {
  code: 'internal_error',
  message: 'The run failed several times on our side, or its record is damaged. Start it again.',
};

/** One pass over documents. The result of each document is in its own record of the headless queue. */
export type RunRecord = StoredRecord<typeof runSchema>;

const runSchema = recordSchema(
  {
    organization_id: field.objectId,
    schedule_id: field.objectId.orNull(),
    trigger: field.oneOf<RunTrigger>(),
    action: field.oneOf<RunAction>(),
    state: field.oneOf<RunState>(),
    /** Set while queued or running: a unique index allows one active run for each schedule. */
    active: field.mark.optional(),
    /** Set once it has many documents: these are queued apart, so that no small run waits for them. */
    is_large: field.mark.optional(),
    /** One of `filter` and `named_ids`. */
    filter: field.mixed<DocumentFilter>().orNull(),
    named_ids: field.objectId.list().orNull(),
    max_documents: field.number.orNull(),
    prompt_id: field.text.orNull(),
    /** Which edited or verified results its extractions replace; none if absent. */
    replace: field.oneOf<ReplaceLevel>().orNull().optional(),
    /** What happens to a call that needs approval; denied if absent. */
    on_ask: field.oneOf<OnAsk>().optional(),
    message: field.text.orNull(),
    auto_approved_tools: field.text.list(),
    requested_by: field.objectId,
    role: field.oneOf<Role>(),
    /** The lease of the worker that queues its documents, or undoes it. */
    lease: field.mixed<StoredLease>().optionalOrNull(),
    claimed_at: field.date.optional(),
    attempts: field.number.optional(),
    /** Chosen once, before the first document is queued; null until then. */
    document_ids: field.objectId.list().orNull(),
    matched: field.number.default(0),
    /** Documents that the queue refused. */
    refused: field
      .part({ document_id: field.text.unchecked(), code: field.text.unchecked(), message: field.text.unchecked() })
      .list(),
    /** Events that are still to be published. */
    event_outbox: field.mixed<OutboxEvent>().list().optional(),
    stop_requested: field.flag.default(false),
    due_at: field.date.orNull(),
    created_at: field.date,
    started_at: field.date.orNull(),
    ended_at: field.date.orNull(),
    error: field.mixed<Failure>().orNull(),
    /** For a record of skipped due times: the active run, the number of skipped times and the last of them. */
    skipped_for: field.objectId.optional(),
    skipped_times: field.number.optional(),
    last_due_at: field.date.optional(),
    /** The final counts, so that lists need not count again. */
    final: field.mixed<RunFinal>().orNull(),
    undo: field.mixed<RunUndoRecord>().optional(),
    /** The calls that stopped or undid it as a bulk job. */
    applied_calls: field.text.list().optional(),
  },
  { collection: 'runs', keepsEmptyObjects: true },
);
indexOutbox(runSchema);
runSchema.index({ organization_id: 1, _id: -1 });
runSchema.index({ organization_id: 1, state: 1, _id: -1 });
runSchema.index({ schedule_id: 1, _id: -1 });
// Ended runs are listed for this long.
runSchema.index({ ended_at: 1 }, { expireAfterSeconds: endedRunRetentionMs / 1000 });
runSchema.index({ 'undo.state': 1 }, { sparse: true });
runSchema.index({ skipped_for: 1 }, { sparse: true });
runSchema.index({ active: 1, _id: 1 }, { sparse: true });
runSchema.index(
  { schedule_id: 1, due_at: 1 },
  { unique: true, partialFilterExpression: { due_at: { $type: 'date' } }, name: 'due_once' },
);
runSchema.index(
  { schedule_id: 1, active: 1 },
  {
    unique: true,
    partialFilterExpression: { active: true, schedule_id: { $type: 'objectId' } },
    name: 'one_going',
  },
);

export const runModel = modelOf('Run', runSchema);
