import { Schema, type Connection } from 'mongoose';

/** The printed link, as long as it was not used. There is at most one: a newer start replaces it. */
const signInLinkSchema = new Schema(
  { _id: { type: String, required: true }, token_hash: { type: String, required: true } },
  { collection: 'sign_in_links', versionKey: false },
);

export const signInLinkModel = (connection: Connection) => connection.model('SignInLink', signInLinkSchema);
