import { Schema, type Connection, type Model, type Types } from 'mongoose';

export interface UserRecord {
  _id: Types.ObjectId;
  email: string;
  name: string;
  /** null for the unclaimed owner of the first organization. */
  password_hash: string | null;
  created_at: Date;
}

const userSchema = new Schema<UserRecord>(
  {
    email: { type: String, required: true },
    name: { type: String, required: true },
    password_hash: { type: String, default: null },
    created_at: { type: Date, required: true },
  },
  { collection: 'users', versionKey: false },
);
userSchema.index({ email: 1 }, { unique: true });

export const userModel = (connection: Connection): Model<UserRecord> =>
  connection.model<UserRecord>('User', userSchema);
