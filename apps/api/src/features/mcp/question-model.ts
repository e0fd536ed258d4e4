import mongoose, { type Connection, type Model } from 'mongoose';

/** A question that a process has put to a client, and the client's answer, which may come to another process. */
interface QuestionRecord {
  /** The id of the request to the client: ours, not to be guessed. */
  _id: string;
  /** The person, with the session or access token that the client was asked under. */
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
