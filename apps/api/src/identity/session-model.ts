import { Schema, type Connection } from 'mongoose';

/** What stands behind a JWT, so that logging out ends it everywhere. */
const sessionSchema = new Schema(
  {
    user_id: { type: Schema.Types.ObjectId, required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'sessions', versionKey: false },
);
sessionSchema.index({ user_id: 1 });
sessionSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const sessionModel = (connection: Connection) => connection.model('Session', sessionSchema);
