import type { OnArrival } from '@docwright/contract';
import mongoose, { type Connection, type Model, type Types } from 'mongoose';

export interface TagRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  name: string;
  /** The case-insensitive name; absent after the deletion, so that the name can be used again. */
  name_key?: string;
  color: string;
  description: string;
  on_arrival?: OnArrival | null;
  never_to_model?: boolean;
  /** The call that created the tag. */
  call_id?: string;
  applied_calls: string[];
  /** Counts every change by anyone: undo detects changes of others by it. */
  changes: number;
  deleted_by_call: string | null;
  deleted_at: Date | null;
  created_at: Date;
  created_by: string;
}

const tagSchema = new mongoose.Schema<TagRecord>(
  {
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    name_key: { type: String },
    color: { type: String, required: true },
    description: { type: String, default: '' },
    on_arrival: { type: mongoose.Schema.Types.Mixed },
    never_to_model: { type: Boolean },
    call_id: { type: String },
    applied_calls: { type: [String], default: [] },
    changes: { type: Number, default: 0 },
    deleted_by_call: { type: String, default: null },
    deleted_at: { type: Date, default: null },
    created_at: { type: Date, required: true },
    created_by: { type: String, required: true },
  },
  { collection: 'tags', versionKey: false, autoIndex: false },
);
tagSchema.index(
  { organization_id: 1, name_key: 1 },
  { unique: true, partialFilterExpression: { name_key: { $type: 'string' } } },
);
tagSchema.index({ organization_id: 1, deleted_at: 1, name_key: 1 });
tagSchema.index({ applied_calls: 1 }, { sparse: true });
tagSchema.index({ call_id: 1 }, { unique: true, sparse: true });

export function tagModel(connection: Connection): Model<TagRecord> {
  return connection.models['Tag'] ?? connection.model<TagRecord>('Tag', tagSchema);
}
