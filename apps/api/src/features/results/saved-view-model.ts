import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** A view of a prompt's results that a user saved. */
export interface SavedViewRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  prompt_id: string;
  name: string;
  columns: string[];
  where: string;
  sort: string;
  is_shared: boolean;
  created_by: string;
  created_at: Date;
}

const text = { type: String, default: '' } as const;

const schema = new mongoose.Schema<SavedViewRecord>(
  {
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    prompt_id: { type: String, required: true },
    name: { type: String, required: true },
    columns: { type: [String], default: [] },
    where: text,
    sort: text,
    is_shared: { type: Boolean, default: false },
    created_by: { type: String, required: true },
    created_at: { type: Date, required: true },
  },
  { collection: 'result_views', versionKey: false, autoIndex: false },
);
schema.index({ organization_id: 1, prompt_id: 1, created_by: 1, name: 1 }, { unique: true });

export function savedViewModel(connection: Connection): Model<SavedViewRecord> {
  return connection.models['ResultView'] ?? connection.model<SavedViewRecord>('ResultView', schema);
}
