import type { TokenScope } from '@docwright/contract';
import { Schema, type Connection, type Model, type Types } from 'mongoose';

/** A program that registered itself to sign users in. */
interface OAuthClientRecord {
  _id: Types.ObjectId;
  name: string;
  redirect_uris: string[];
  /** Extended when a user authorizes the program. Otherwise the registration expires. */
  expires_at: Date;
}

/** A code that a client exchanges for an access token, once. */
interface OAuthCodeRecord {
  /** Its keyed hash. */
  _id: string;
  client_id: Types.ObjectId;
  user_id: Types.ObjectId;
  organization_id: Types.ObjectId;
  scopes: TokenScope[];
  redirect_uri: string;
  code_challenge: string;
  /** Set when it is exchanged. It is kept for a while, since its second use ends the access. */
  used_at?: Date | null;
  /** Whether it was used a second time. */
  reused?: boolean;
  /** The access token that it was exchanged for. */
  access_token_id?: Types.ObjectId | null;
  expires_at: Date;
}

/** A token that renews a client's access token. It works once and is replaced by the next one. */
interface OAuthRefreshTokenRecord {
  /** Its keyed hash. */
  _id: string;
  access_token_id: Types.ObjectId;
  client_id: Types.ObjectId;
  user_id: Types.ObjectId;
  organization_id: Types.ObjectId;
  scopes: TokenScope[];
  /** Null until it is used. */
  used_at: Date | null;
  expires_at: Date;
}

const clientSchema = new Schema<OAuthClientRecord>(
  {
    name: { type: String, required: true },
    redirect_uris: { type: [String], required: true },
    expires_at: { type: Date, required: true },
  },
  { collection: 'oauth_clients', versionKey: false },
);
clientSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

const codeSchema = new Schema<OAuthCodeRecord>(
  {
    _id: { type: String, required: true },
    client_id: { type: Schema.Types.ObjectId, required: true },
    user_id: { type: Schema.Types.ObjectId, required: true },
    organization_id: { type: Schema.Types.ObjectId, required: true },
    scopes: { type: [String], required: true },
    redirect_uri: { type: String, required: true },
    code_challenge: { type: String, required: true },
    used_at: { type: Date, default: null },
    reused: { type: Boolean, default: false },
    access_token_id: { type: Schema.Types.ObjectId, default: null },
    expires_at: { type: Date, required: true },
  },
  { collection: 'oauth_codes', versionKey: false },
);
codeSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

const refreshTokenSchema = new Schema<OAuthRefreshTokenRecord>(
  {
    _id: { type: String, required: true },
    access_token_id: { type: Schema.Types.ObjectId, required: true },
    client_id: { type: Schema.Types.ObjectId, required: true },
    user_id: { type: Schema.Types.ObjectId, required: true },
    organization_id: { type: Schema.Types.ObjectId, required: true },
    scopes: { type: [String], required: true },
    used_at: { type: Date, default: null },
    expires_at: { type: Date, required: true },
  },
  { collection: 'oauth_refresh_tokens', versionKey: false },
);
refreshTokenSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const oauthRefreshTokenModel = (connection: Connection): Model<OAuthRefreshTokenRecord> =>
  connection.model<OAuthRefreshTokenRecord>('OAuthRefreshToken', refreshTokenSchema);
export const oauthClientModel = (connection: Connection): Model<OAuthClientRecord> =>
  connection.model<OAuthClientRecord>('OAuthClient', clientSchema);
export const oauthCodeModel = (connection: Connection): Model<OAuthCodeRecord> =>
  connection.model<OAuthCodeRecord>('OAuthCode', codeSchema);
