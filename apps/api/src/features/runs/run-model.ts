import type { OutboxEvent } from '../event-log/index.ts';
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
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

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
}

export interface Failure {
  code: string;
  message: string;
}

/** One pass over documents. The result of each document is in its own record of the headless queue. */
export interface RunRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  schedule_id: Types.ObjectId | null;
  trigger: RunTrigger;
  action: RunAction;
  state: RunState;
  /** Set while queued or running: a unique index allows one active run for each schedule. */
  active?: true;
  /** Set once it has many documents: these are queued apart, so that no small run waits for them. */
  is_large?: true;
  /** One of `filter` and `named_ids`. */
  filter: DocumentFilter | null;
  named_ids: Types.ObjectId[] | null;
  max_documents: number | null;
  prompt_id: string | null;
  /** Which edited or verified results its extractions replace; none if absent. */
  replace?: ReplaceLevel | null;
  /** What happens to a call that needs approval; denied if absent. */
  on_ask?: OnAsk;
  message: string | null;
  auto_approved_tools: string[];
  requested_by: Types.ObjectId;
  role: Role;
  /** The lease of the worker that queues its documents, or undoes it. */
  lease?: StoredLease | null;
  /** Chosen once, before the first document is queued; null until then. */
  document_ids: Types.ObjectId[] | null;
  matched: number;
  /** Documents that the queue refused. */
  refused: (Failure & { document_id: string })[];
  /** Events that are still to be published. */
  event_outbox?: OutboxEvent[];
  stop_requested: boolean;
  due_at: Date | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
  error: Failure | null;
  /** For a record of skipped due times: the active run, the number of skipped times and the last of them. */
  skipped_for?: Types.ObjectId;
  skipped_times?: number;
  last_due_at?: Date;
  /** The final counts, so that lists need not count again. */
  final: RunFinal | null;
  undo?: RunUndoRecord;
}

const id = mongoose.Schema.Types.ObjectId;
const mixed = { type: mongoose.Schema.Types.Mixed, default: null } as const;

const text = { type: String, required: true } as const;

const refusedSchema = new mongoose.Schema<RunRecord['refused'][number]>(
  { document_id: String, code: String, message: String },
  { _id: false },
);

const runSchema = new mongoose.Schema<RunRecord>(
  {
    organization_id: { type: id, required: true },
    schedule_id: { type: id, default: null },
    trigger: text,
    action: text,
    state: text,
    active: { type: Boolean },
    is_large: { type: Boolean },
    filter: mixed,
    named_ids: { type: [id], default: null },
    max_documents: { type: Number, default: null },
    prompt_id: { type: String, default: null },
    replace: { type: String, default: null },
    on_ask: { type: String },
    message: { type: String, default: null },
    auto_approved_tools: { type: [String], default: [] },
    requested_by: { type: id, required: true },
    role: text,
    lease: { type: mongoose.Schema.Types.Mixed },
    document_ids: { type: [id], default: null },
    matched: { type: Number, default: 0 },
    refused: { type: [refusedSchema], default: [] },
    stop_requested: { type: Boolean, default: false },
    due_at: { type: Date, default: null },
    created_at: { type: Date, required: true },
    started_at: { type: Date, default: null },
    ended_at: { type: Date, default: null },
    error: mixed,
    skipped_for: { type: id },
    skipped_times: { type: Number },
    last_due_at: { type: Date },
    final: mixed,
    undo: { type: mongoose.Schema.Types.Mixed },
    event_outbox: { type: [mongoose.Schema.Types.Mixed], default: undefined },
  },
  { collection: 'runs', versionKey: false, minimize: false, autoIndex: false },
);
runSchema.index({ 'event_outbox.id': 1 }, { sparse: true });
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

export function runModel(connection: Connection): Model<RunRecord> {
  return connection.models['Run'] ?? connection.model<RunRecord>('Run', runSchema);
}
