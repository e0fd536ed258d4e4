import type { SourceSync } from '@docwright/contract';
import type { StoredLease } from '../../platform/leases/leases.ts';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';
import type { SeenBatches } from './seen-batches.ts';
import { indexOutbox, type OutboxEvent } from '../event-log/index.ts';

export type SourceRecord = StoredRecord<typeof sourceSchema>;

const sourceSchema = recordSchema(
  {
    organization_id: field.objectId,
    name: field.text,
    document_ids: field.objectId.list().orNull(),
    tag_ids: field.objectId.list().orNull(),
    name_search: field.text.orNull(),
    /** JSON, with its kind; secrets are masked. */
    connector: field.text.optionalOrNull(),
    /** Its secrets, for its host and user alone. */
    sealed_secrets: field.text.optional(),
    /** Undefined counts as enabled. */
    is_enabled: field.flag.optional(),
    every: field.text.optionalOrNull(),
    every_ms: field.number.optionalOrNull(),
    auto_create: field.flag.optionalOrNull(),
    never_to_model: field.flag.optional(),
    /** When its files are looked at next. Null without a connector. */
    next_sync_at: field.date.optionalOrNull(),
    /** A sync is wanted before that; one that runs does not count. */
    is_wanted: field.flag.optional(),
    lease: field.mixed<StoredLease>().optional(),
    /** The last sync. */
    sync: field
      .mixed<{
        counts?: SourceSync['counts'];
        errors?: SourceSync['errors'];
        error?: SourceSync['error'];
        ended_at?: Date;
      }>()
      .optional(),
    /** What the last sync has seen, if it still holds. */
    seen_batches: field.mixed<SeenBatches>().optional(),
    /** How many syncs have failed in a row. */
    failures: field.number.optional(),
    /** Events that are still to be published. */
    event_outbox: field.mixed<OutboxEvent>().list().optional(),
    created_at: field.date,
    created_by: field.objectId,
  },
  { collection: 'sources' },
);
sourceSchema.index({ organization_id: 1, _id: -1 });
sourceSchema.index({ next_sync_at: 1 }, { sparse: true });
indexOutbox(sourceSchema);

/** A source that failed so often in a row is failing. */
export const failuresOfFailing = 3;

export const sourceModel = modelOf('Source', sourceSchema);
