import { Schema, type Connection, type Model } from 'mongoose';

/** The unused printed link. There is at most one: a newer start replaces it. */
interface SignInLinkRecord {
  _id: string;
  token_hash: string;
}

const signInLinkSchema = new Schema<SignInLinkRecord>(
  { _id: { type: String, required: true }, token_hash: { type: String, required: true } },
  { collection: 'sign_in_links', versionKey: false },
);

export const signInLinkModel = (connection: Connection): Model<SignInLinkRecord> =>
  connection.model<SignInLinkRecord>('SignInLink', signInLinkSchema);
