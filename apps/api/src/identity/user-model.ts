import { Schema, type Connection, type InferSchemaType, type Types } from 'mongoose';

const userSchema = new Schema(
  {
    email: { type: String, required: true },
    name: { type: String, required: true },
    /** null: the owner of the first organization, whom nobody has claimed yet. */
    password_hash: { type: String, default: null },
    created_at: { type: Date, required: true },
  },
  { collection: 'users', versionKey: false },
);
userSchema.index({ email: 1 }, { unique: true });

export type UserRecord = InferSchemaType<typeof userSchema> & { _id: Types.ObjectId };
export const userModel = (connection: Connection) => connection.model('User', userSchema);
