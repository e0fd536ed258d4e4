import { Schema, type Connection, type Model, type Types } from 'mongoose';

/** The second factor of a person, under the person's id. */
interface SecondFactorRecord {
  _id: Types.ObjectId;
  /** The secret of the authenticator app, sealed; absent until it is confirmed. */
  secret?: string;
  enabled_at?: Date;
  /** The time step of the last code that was accepted, so that none is accepted twice. */
  last_step?: number;
  /** Keyed hashes of the unused recovery codes. */
  recovery_hashes: string[];
  /** A secret that was shown and not confirmed, sealed. */
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
