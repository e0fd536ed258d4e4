import mongoose, { type Connection, type Model, type Types } from 'mongoose';

export interface SourceRecord {
  _id: Types.ObjectId;
  organization_id: Types.ObjectId;
  name: string;
  document_ids: Types.ObjectId[] | null;
  tag_ids: Types.ObjectId[] | null;
  name_search: string | null;
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
    created_at: { type: Date, required: true },
    created_by: { type: id, required: true },
  },
  { collection: 'sources', versionKey: false, autoIndex: false },
);
sourceSchema.index({ organization_id: 1, _id: -1 });

export function sourceModel(connection: Connection): Model<SourceRecord> {
  return connection.models['Source'] ?? connection.model<SourceRecord>('Source', sourceSchema);
}
