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
  /** What `every` counts from: when it was made, changed or switched on. */
  anchor_at: Date;
  action: ScheduleAction;
  filter: DocumentFilter;
  prompt_id: string | null;
  /** What of people's work its extractions replace; nothing where it is absent. */
  replace?: ReplaceLevel | null;
  /** What becomes of a call that would have to ask; it is denied where this is absent. */
  on_ask?: OnAsk;
  message: string | null;
  max_documents: number | null;
  enabled: boolean;
  /** null while it is disabled, and where its cron has no time left. */
  next_due_at: Date | null;
  created_at: Date;
  created_by: Types.ObjectId;
  /** What its maker could do when making it; a run can do no more, and no more than its maker can by then. */
  role: Role;
  /** Counts changes by people, so that two at once do not mix. */
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
