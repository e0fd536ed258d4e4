import type { TokenScope } from '@docwright/contract';
import { field, modelOf, recordSchema } from '../../../platform/records/record-model.ts';

/** A program that registered itself to sign users in. */
const clientSchema = recordSchema(
  {
    name: field.text,
    redirect_uris: field.text.list(),
    /** Until a user authorizes the program. */
    is_unused: field.mark.optional(),
    /** Extended when a user authorizes the program. Otherwise the registration expires. */
    expires_at: field.date,
  },
  { collection: 'oauth_clients' },
);
clientSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });
clientSchema.index({ is_unused: 1, expires_at: 1 }, { sparse: true });

/** A code that a client exchanges for an access token, once. */
const codeSchema = recordSchema(
  {
    /** Its keyed hash. */
    _id: field.text,
    client_id: field.objectId,
    user_id: field.objectId,
    organization_id: field.objectId,
    scopes: field.oneOf<TokenScope>().list(),
    redirect_uri: field.text,
    code_challenge: field.text,
    /** Set when it is exchanged. It is kept for a while, since its second use ends the access. */
    used_at: field.date.orNull().optional(),
    /** Whether it was used a second time. */
    reused: field.flag.default(false).optional(),
    /** The access token that it was exchanged for. */
    access_token_id: field.objectId.orNull().optional(),
    expires_at: field.date,
  },
  { collection: 'oauth_codes' },
);
codeSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** A token that renews a client's access token. It works once and is replaced by the next one. */
const refreshTokenSchema = recordSchema(
  {
    /** Its keyed hash. */
    _id: field.text,
    access_token_id: field.objectId,
    client_id: field.objectId,
    user_id: field.objectId,
    organization_id: field.objectId,
    scopes: field.oneOf<TokenScope>().list(),
    /** Null until it is used. */
    used_at: field.date.orNull(),
    expires_at: field.date,
  },
  { collection: 'oauth_refresh_tokens' },
);
refreshTokenSchema.index({ expires_at: 1 }, { expireAfterSeconds: 0 });

export const oauthRefreshTokenModel = modelOf('OAuthRefreshToken', refreshTokenSchema);
export const oauthClientModel = modelOf('OAuthClient', clientSchema);
export const oauthCodeModel = modelOf('OAuthCode', codeSchema);
