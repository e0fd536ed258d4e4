import type { OnAsk, ReplaceLevel, Role } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';
import type { StoredLease } from '../../platform/leases/leases.ts';
import type { HeadlessKind, HeadlessState } from './headless-queue.ts';

/** How long ended runs and the outcomes of their documents are kept. */
export const endedRunRetentionMs = 90 * 24 * 60 * 60 * 1000;

export type DocumentRunRecord = StoredRecord<typeof documentRunSchema>;

/** The same retention as its batch. */
export const expiresAt = (): Date => new Date(Date.now() + endedRunRetentionMs);

const documentRunSchema = recordSchema(
  {
    organization_id: field.objectId,
    document_id: field.objectId,
    /** The batch. */
    run_id: field.objectId.orNull(),
    kind: field.oneOf<HeadlessKind>(),
    message: field.text.orNull(),
    prompt_id: field.text.orNull(),
    /** Which user edits it can replace; none if absent. */
    replace: field.oneOf<ReplaceLevel>().optional(),
    on_ask: field.oneOf<OnAsk>().optional(),
    /** The parked turn, which the next attempt resumes. */
    parked_turn: field.text.optional(),
    schedule_id: field.objectId.optional(),
    auto_approved_tools: field.text.list(),
    requested_by: field.text,
    /** The requester's role when it was stored. It runs with the lesser of this role and the current one. */
    role: field.oneOf<Role>(),
    state: field.oneOf<HeadlessState>(),
    /** The position in its lane of the queue, smallest first; interleaves organizations. */
    rank: field.number,
    /** Set for work that a user waits for; claimed before all other. */
    lane: field.oneOf<'few'>().optional(),
    /** The number of attempts. */
    attempts: field.number.default(0),
    lease: field.mixed<StoredLease>().optionalOrNull(),
    /** The turn of each attempt, latest last. */
    turn_ids: field.text.list(),
    thread_id: field.text.orNull(),
    is_cancel_asked: field.flag.default(false),
    /** The run whose result this one might use; this run is not claimed before that one has ended. */
    waits_for: field.objectId.optional(),
    waits: field.number.optional(),
    queued_at: field.date,
    started_at: field.date.orNull(),
    ended_at: field.date.orNull(),
    error: field.mixed<{ code: string; message: string }>().orNull(),
    spu_used: field.number.default(0),
    /** The proposal of a succeeded run. */
    proposal: field.mixed<{ prompt_revid: string; schema_revid?: string; created?: true }>().orNull(),
    /** An AgentLog as JSON text: results contain arbitrary field names. */
    log: field.text.orNull(),
    /** The document while its auto-create is queued or runs; unique, so there is one at a time. */
    auto_create_of: field.objectId.optional(),
    /** Set at the end of runs that expire: those of a batch without a proposal. */
    expires_at: field.date.optional(),
    /** It has ended, and its document might not show the outcome yet. */
    is_unsettled: field.flag.optional(),
    /** Set when its writes were undone with its run. */
    undone_at: field.date.optional(),
    undone_calls: field.number.optional(),
  },
  { collection: 'document_runs' },
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

export const documentRunModel = modelOf('DocumentRun', documentRunSchema);
