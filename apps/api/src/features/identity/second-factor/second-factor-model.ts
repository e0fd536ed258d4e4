import { Schema, type Connection, type Model, type Types } from 'mongoose';

/** A user's second factor; its id is the user's. */
interface SecondFactorRecord {
  _id: Types.ObjectId;
  /** The authenticator app's encrypted secret; absent until it is confirmed. */
  secret?: string;
  enabled_at?: Date;
  /** The time step of the last accepted code, so that no code works twice. */
  last_step?: number;
  /** Keyed hashes of the unused recovery codes. */
  recovery_hashes: string[];
  /** An encrypted secret that was shown but not confirmed. */
  pending_secret?: string;
  pending_until?: Date;
}

const secondFactorSchema = new Schema<SecondFactorRecord>(
  {
    secret: { type: String },
    enabled_at: { type: Date },
    last_step: { type: Number },
    recovery_hashes: { type: [String], required: true, default: [] },
    pending_secret: { type: String },
    pending_until: { type: Date },
  },
  { collection: 'second_factors', versionKey: false },
);

export const secondFactorModel = (connection: Connection): Model<SecondFactorRecord> =>
  connection.model<SecondFactorRecord>('SecondFactor', secondFactorSchema);
