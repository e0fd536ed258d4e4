import type { DocumentFilter, OnAsk, ReplaceLevel, Role, ScheduleAction } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

export interface ScheduleRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  name: string;
  /** One of `cron` and `every`. */
  cron: string | null;
  every: string | null;
  timezone: string;
  /** The start of `every`: when the schedule was created, changed or enabled. */
  anchor_at: Date;
  action: ScheduleAction;
  filter: DocumentFilter;
  prompt_id: string | null;
  /** Which edited or verified results its extractions replace; none if absent. */
  replace?: ReplaceLevel | null;
  /** What happens to a call that needs approval; denied if absent. */
  on_ask?: OnAsk;
  message: string | null;
  max_documents: number | null;
  enabled: boolean;
  /** Null while the schedule is disabled, or if its cron has no further time. */
  next_due_at: Date | null;
  created_at: Date;
  created_by: Types.ObjectId;
  /** The creator's role at the creation. A run has at most this role, and at most the creator's current role. */
  role: Role;
  /** Counts changes by users, to detect concurrent changes. */
  changes: number;
}

const objectId = { type: mongoose.Schema.Types.ObjectId, required: true } as const;
const text = { type: String, required: true } as const;

const scheduleSchema = new mongoose.Schema<ScheduleRecord>(
  {
    organization_id: objectId,
    name: text,
    cron: { type: String, default: null },
    every: { type: String, default: null },
    timezone: text,
    anchor_at: { type: Date, required: true },
    action: text,
    filter: { type: mongoose.Schema.Types.Mixed, required: true },
    prompt_id: { type: String, default: null },
    replace: { type: String, default: null },
    on_ask: { type: String },
    message: { type: String, default: null },
    max_documents: { type: Number, default: null },
    enabled: { type: Boolean, required: true },
    next_due_at: { type: Date, default: null },
    created_at: { type: Date, required: true },
    created_by: objectId,
    role: text,
    changes: { type: Number, required: true },
  },
  { collection: 'schedules', versionKey: false, minimize: false, autoIndex: false },
);
scheduleSchema.index({ organization_id: 1, _id: -1 });
scheduleSchema.index({ next_due_at: 1 });

export function scheduleModel(connection: Connection): Model<ScheduleRecord> {
  return connection.models['Schedule'] ?? connection.model<ScheduleRecord>('Schedule', scheduleSchema);
}
