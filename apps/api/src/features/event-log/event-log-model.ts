import type { EventType } from '@docwright/contract';
import type { Schema } from 'mongoose';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

/** An event that waits in the outbox of the record that it is about, written together with that record. */
export interface OutboxEvent {
  /** Stored, so that an event that is published twice keeps its id. */
  id: string;
  type: EventType;
  at: Date;
  data?: Record<string, unknown>;
}

/** An event of the log. */
export type EventRecord = StoredRecord<typeof schema>;

const schema = recordSchema(
  {
    organization_id: field.objectId,
    seq: field.number,
    id: field.text,
    type: field.oneOf<EventType>(),
    at: field.date,
    document_id: field.text.optional(),
    prompt_id: field.text.optional(),
    data: field.mixed<Record<string, unknown>>(),
    /** When it entered the log. */
    stored_at: field.date,
  },
  { collection: 'event_log', keepsEmptyObjects: true },
);
// The first insert of a number wins it. The next number can be inserted only when this one is visible.
schema.index({ organization_id: 1, seq: 1 }, { unique: true });
schema.index({ organization_id: 1, id: 1 }, { unique: true });
schema.index({ organization_id: 1, stored_at: 1 });
schema.index({ stored_at: 1 });
schema.index({ document_id: 1 }, { sparse: true });

export const eventLogModel = modelOf('EventLog', schema);

/** The indexes of records with an outbox: what waits in any organization, and in each. */
export function indexOutbox(records: Pick<Schema, 'index'>): void {
  records.index({ 'event_outbox.id': 1 }, { sparse: true });
  records.index(
    { organization_id: 1, 'event_outbox.id': 1 },
    { partialFilterExpression: { 'event_outbox.id': { $exists: true } }, name: 'to_publish' },
  );
}
