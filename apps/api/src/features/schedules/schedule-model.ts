import type { DocumentFilter, OnAsk, ReplaceLevel, Role, ScheduleAction } from '@docwright/contract';
import { field, modelOf, recordSchema, type StoredRecord } from '../../platform/records/record-model.ts';

export type ScheduleRecord = StoredRecord<typeof scheduleSchema>;

const scheduleSchema = recordSchema(
  {
    organization_id: field.objectId,
    name: field.text,
    /** One of `cron` and `every`. */
    cron: field.text.orNull(),
    every: field.text.orNull(),
    timezone: field.text,
    /** The start of `every`: when the schedule was created, changed or enabled. */
    anchor_at: field.date,
    action: field.oneOf<ScheduleAction>(),
    filter: field.mixed<DocumentFilter>(),
    prompt_id: field.text.orNull(),
    /** Which edited or verified results its extractions replace; none if absent. */
    replace: field.oneOf<ReplaceLevel>().orNull().optional(),
    /** What happens to a call that needs approval; denied if absent. */
    on_ask: field.oneOf<OnAsk>().optional(),
    message: field.text.orNull(),
    max_documents: field.number.orNull(),
    enabled: field.flag,
    /** Null while the schedule is disabled, or if its cron has no further time. */
    next_due_at: field.date.orNull(),
    created_at: field.date,
    created_by: field.objectId,
    /** The creator's role at the creation. A run has at most this role, and at most the creator's current role. */
    role: field.oneOf<Role>(),
    /** Counts changes by users, to detect concurrent changes. */
    changes: field.number,
  },
  { collection: 'schedules', keepsEmptyObjects: true },
);
scheduleSchema.index({ organization_id: 1, _id: -1 });
scheduleSchema.index({ next_due_at: 1 });

export const scheduleModel = modelOf('Schedule', scheduleSchema);
