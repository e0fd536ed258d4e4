import { field, modelOf, recordSchema, type StoredRecord } from '../platform/records/record-model.ts';

/** The records that a turn can write and undo can restore. A `split` is all documents that one call split another into. */
export type WrittenKind = 'schema' | 'prompt' | 'tag' | 'document' | 'extraction' | 'split' | 'task';

/** What shows that a write was made whose note serves the audit log alone. */
export type NotedKind = WrittenKind | 'upload' | 'purge' | 'bulk' | 'run' | 'evaluation';

/** The state of a record before a call wrote it, or only the entry of the audit log for it; stored before the write itself. */
export type TurnWriteRecord = StoredRecord<typeof turnWriteSchema>;

/** How long after its start a turn can be undone: as long as the trash stores documents that an agent deleted. */
export const undoOfferedMs = 30 * 24 * 60 * 60 * 1000;

const turnWriteSchema = recordSchema(
  {
    organization_id: field.objectId,
    /** Absent if the note serves the audit log alone, and not undo. */
    turn_id: field.text.optional(),
    call_id: field.text,
    tool: field.text,
    kind: field.oneOf<NotedKind>(),
    /** Absent for a created record: the record names the call. */
    thing_id: field.text.optional(),
    /** The document whose content `before` contains; both are removed together. */
    document_id: field.text.optional(),
    /** JSON; `null` if the record did not exist. */
    before: field.text,
    /** The record's number of changes before the write. */
    base: field.number,
    at: field.date,
    /** The user in whose name it is written; absent in old records. */
    user_id: field.text.optional(),
    /** Absent while the write is pending review. */
    expires_at: field.date.optional(),
    /** The entry of the audit log that follows the write, as JSON, and since when it is due. Absent once the log has it. */
    audit_entry: field.text.optional(),
    unrecorded_since: field.date.optional(),
  },
  { collection: 'turn_writes' },
);
turnWriteSchema.index({ call_id: 1 }, { unique: true });
turnWriteSchema.index({ turn_id: 1, at: -1 });
turnWriteSchema.index({ document_id: 1 }, { sparse: true });
turnWriteSchema.index({ thing_id: 1, at: -1 }, { sparse: true });
turnWriteSchema.index({ unrecorded_since: 1 }, { sparse: true });
turnWriteSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const turnWriteModel = modelOf('TurnWrite', turnWriteSchema);
