import mongoose, { type Connection, type Model, type Types } from 'mongoose';

/** The data that a tool returned to a program of a user. */
interface ProgramReadRecord {
  /** Of the user and the content: what is read again is kept once. */
  _id: string;
  organization_id: Types.ObjectId;
  user_id: Types.ObjectId;
  /** The documents that the texts are from, so that a purged document leaves nothing here. */
  document_ids: string[];
  /** JSON of a `ReadContent`. */
  content: string;
  read_at: Date;
  expires_at: Date;
}

const programReadSchema = new mongoose.Schema<ProgramReadRecord>(
  {
    _id: { type: String, required: true },
    organization_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    user_id: { type: mongoose.Schema.Types.ObjectId, required: true },
    document_ids: { type: [String], required: true },
    content: { type: String, required: true },
    read_at: { type: Date, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'program_reads', versionKey: false, autoIndex: false },
);
programReadSchema.index({ organization_id: 1, user_id: 1, read_at: -1 });
programReadSchema.index({ organization_id: 1, document_ids: 1 });
programReadSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export function programReadModel(connection: Connection): Model<ProgramReadRecord> {
  return connection.models['ProgramRead'] ?? connection.model<ProgramReadRecord>('ProgramRead', programReadSchema);
}
