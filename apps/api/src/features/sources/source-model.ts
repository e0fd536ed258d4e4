import type { SourceSync } from '@docwright/contract';
import type { StoredLease } from '../../platform/leases/leases.ts';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';
import type { SeenBatches } from './seen-batches.ts';
import type { OutboxEvent } from '../event-log/index.ts';

export interface SourceRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  name: string;
  document_ids: Types.ObjectId[] | null;
  tag_ids: Types.ObjectId[] | null;
  name_search: string | null;
  /** JSON, with its kind; secrets are masked. */
  connector?: string | null;
  /** Its secrets, for its host and user alone. */
  sealed_secrets?: string;
  /** Undefined counts as enabled. */
  is_enabled?: boolean;
  every?: string | null;
  every_ms?: number | null;
  auto_create?: boolean | null;
  never_to_model?: boolean;
  /** When its files are looked at next. Null without a connector. */
  next_sync_at?: Date | null;
  /** A sync is wanted before that; one that runs does not count. */
  is_wanted?: boolean;
  lease?: StoredLease;
  /** The last sync. */
  sync?: { counts?: SourceSync['counts']; errors?: SourceSync['errors']; error?: SourceSync['error']; ended_at?: Date };
  /** What the last sync has seen, if it still holds. */
  seen_batches?: SeenBatches;
  /** How many syncs have failed in a row. */
  failures?: number;
  /** Events that are still to be published. */
  event_outbox?: OutboxEvent[];
  created_at: Date;
  created_by: Types.ObjectId;
}

const id = mongoose.Schema.Types.ObjectId;
const sourceSchema = new mongoose.Schema<SourceRecord>(
  {
    organization_id: { type: id, required: true },
    name: { type: String, required: true },
    document_ids: { type: [id], default: null },
    tag_ids: { type: [id], default: null },
    name_search: { type: String, default: null },
    connector: { type: String },
    sealed_secrets: { type: String },
    is_enabled: { type: Boolean },
    every: { type: String },
    every_ms: { type: Number },
    auto_create: { type: Boolean },
    never_to_model: { type: Boolean },
    next_sync_at: { type: Date },
    is_wanted: { type: Boolean },
    lease: { type: mongoose.Schema.Types.Mixed },
    sync: { type: mongoose.Schema.Types.Mixed },
    seen_batches: { type: mongoose.Schema.Types.Mixed },
    failures: { type: Number },
    event_outbox: { type: [mongoose.Schema.Types.Mixed], default: undefined },
    created_at: { type: Date, required: true },
    created_by: { type: id, required: true },
  },
  { collection: 'sources', versionKey: false, autoIndex: false },
);
sourceSchema.index({ organization_id: 1, _id: -1 });
sourceSchema.index({ next_sync_at: 1 }, { sparse: true });
sourceSchema.index({ 'event_outbox.id': 1 }, { sparse: true });

/** A source that failed so often in a row is failing. */
export const failuresOfFailing = 3;

export function sourceModel(connection: Connection): Model<SourceRecord> {
  return connection.models['Source'] ?? connection.model<SourceRecord>('Source', sourceSchema);
}
