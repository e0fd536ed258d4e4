import { Schema, type Connection, type Model, type Types } from 'mongoose';

/** The session behind a JWT, so that logging out ends it everywhere. */
interface SessionRecord {
  _id: Types.ObjectId;
  user_id: Types.ObjectId;
  expires_at: Date;
  user_agent?: string;
  address?: string;
  /** Whether the sign-in used a second factor. */
  second_factor?: boolean;
}

const sessionSchema = new Schema<SessionRecord>(
  {
    user_id: { type: Schema.Types.ObjectId, required: true },
    expires_at: { type: Date, required: true },
    user_agent: { type: String },
    address: { type: String },
    second_factor: { type: Boolean },
  },
  { collection: 'sessions', versionKey: false },
);
sessionSchema.index({ user_id: 1 });
sessionSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const sessionModel = (connection: Connection): Model<SessionRecord> =>
  connection.model<SessionRecord>('Session', sessionSchema);
