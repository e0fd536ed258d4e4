import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

export type TaskRecord = StoredRecord<typeof taskSchema>;

const taskSchema = recordSchema(
  {
    /** A uuid. */
    _id: field.text,
    organization_id: field.objectId,
    user_id: field.objectId,
    title: field.text,
    description: field.text.orNull(),
    is_completed: field.flag.default(false),
    document_id: field.objectId.orNull(),
    /** A date without a time is stored as noon in UTC, which falls on that date in nearly all time zones. */
    due_at: field.date.orNull(),
    /** Whether the due date has a time; absent in old tasks. */
    due_has_time: field.flag.optional(),
    /** The sort key: tasks without a date come last. */
    due_order: field.date,
    created_at: field.date,
    /** The call that created it. */
    call_id: field.text.optional(),
    /** The number of writes, and so its version. */
    changes: field.number.default(1),
    /** The calls that wrote it. */
    applied_calls: field.text.list(),
    deleted_at: field.date.orNull(),
    deleted_by_call: field.text.orNull(),
    /** When a deleted task is removed for good. */
    expires_at: field.date.optional(),
  },
  { collection: 'tasks' },
);
taskSchema.index({ organization_id: 1, user_id: 1, is_completed: 1, due_order: 1, created_at: 1 });
taskSchema.index({ organization_id: 1, document_id: 1 });
taskSchema.index({ applied_calls: 1 }, { sparse: true });
taskSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
taskSchema.index({ call_id: 1 }, { unique: true, sparse: true });

export const taskModel = modelOf('Task', taskSchema);
