import mongoose, { type Connection, type Model } from 'mongoose';

/** A question from a process to a client, and the answer, which another process might receive. */
interface QuestionRecord {
  /** The unguessable id of the request to the client. */
  _id: string;
  /** The user, with the session or access token under which the client was asked. */
  credential: string;
  /** The JSON-RPC response. */
  answer?: string;
  expires_at: Date;
}

const questionSchema = new mongoose.Schema<QuestionRecord>(
  {
    _id: { type: String, required: true },
    credential: { type: String, required: true },
    answer: { type: String },
    expires_at: { type: Date, required: true },
  },
  { collection: 'mcp_questions', versionKey: false, autoIndex: false },
);
questionSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export function questionModel(connection: Connection): Model<QuestionRecord> {
  return connection.models['McpQuestion'] ?? connection.model<QuestionRecord>('McpQuestion', questionSchema);
}
