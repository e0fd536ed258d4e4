import mongoose, { type Connection, type Model, type Types } from 'mongoose';

export interface TaskRecord {
  /** A uuid. */
  _id: string;
  organization_id: Types.ObjectId;
  user_id: Types.ObjectId;
  title: string;
  description: string | null;
  is_completed: boolean;
  document_id: Types.ObjectId | null;
  /** A date without a time is stored as noon in UTC, which falls on that date in nearly all time zones. */
  due_at: Date | null;
  /** Whether the due date has a time; absent in old tasks. */
  due_has_time?: boolean;
  /** The sort key: tasks without a date come last. */
  due_order: Date;
  created_at: Date;
  /** The call that created it. */
  call_id?: string;
  /** The number of writes, and so its version. */
  changes: number;
  /** The calls that wrote it. */
  applied_calls: string[];
  deleted_at: Date | null;
  deleted_by_call: string | null;
  /** When a deleted task is removed for good. */
  expires_at?: Date;
}

const id = { type: mongoose.Schema.Types.ObjectId, required: true };

const taskSchema = new mongoose.Schema<TaskRecord>(
  {
    _id: { type: String, required: true },
    organization_id: id,
    user_id: id,
    title: { type: String, required: true },
    description: { type: String, default: null },
    is_completed: { type: Boolean, default: false },
    document_id: { type: mongoose.Schema.Types.ObjectId, default: null },
    due_at: { type: Date, default: null },
    due_has_time: { type: Boolean },
    due_order: { type: Date, required: true },
    created_at: { type: Date, required: true },
    call_id: { type: String },
    changes: { type: Number, default: 1 },
    applied_calls: { type: [String], default: [] },
    deleted_at: { type: Date, default: null },
    deleted_by_call: { type: String, default: null },
    expires_at: { type: Date },
  },
  { collection: 'tasks', versionKey: false, autoIndex: false },
);
taskSchema.index({ organization_id: 1, user_id: 1, is_completed: 1, due_order: 1, created_at: 1 });
taskSchema.index({ organization_id: 1, document_id: 1 });
taskSchema.index({ applied_calls: 1 }, { sparse: true });
taskSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
taskSchema.index({ call_id: 1 }, { unique: true, sparse: true });

export function taskModel(connection: Connection): Model<TaskRecord> {
  return connection.models['Task'] ?? connection.model<TaskRecord>('Task', taskSchema);
}
