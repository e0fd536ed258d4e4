import type { TokenScope } from '@docwright/contract';
import { Types, type Connection } from 'mongoose';
import { oauthClientModel, oauthCodeModel, oauthRefreshTokenModel } from './oauth-model.ts';

export interface OAuthClient {
  id: string;
  name: string;
  redirectUris: string[];
}

export interface OAuthCode {
  clientId: string;
  userId: string;
  organizationId: string;
  scopes: TokenScope[];
  redirectUri: string;
  codeChallenge: string;
  expiresAt: Date;
}
export interface OAuthRefreshToken {
  accessTokenId: string;
  clientId: string;
  userId: string;
  organizationId: string;
  scopes: TokenScope[];
  usedAt: Date | null;
  expiresAt: Date;
}
/** Of all programs that nobody has authorized. */
export const maxUnusedClients = 10_000;
/** How long at least a user has to authorize a program. */
const unusedKeptMs = 10 * 60_000;
/** How long the second use of a code is noticed. */
const usedCodeMs = 24 * 3_600_000;

export type OAuthRepository = ReturnType<typeof createOAuthRepository>;

export function createOAuthRepository(connection: Connection) {
  const clients = oauthClientModel(connection);
  const codes = oauthCodeModel(connection);
  const refreshTokens = oauthRefreshTokenModel(connection);
  return {
    /**
     * Of many that nobody has authorized, the oldest makes room. Undefined if all of them are new, since anybody can register
     * programs and those of others are about to be authorized.
     */
    async addClient(client: Omit<OAuthClient, 'id'>, expiresAt: Date): Promise<string | undefined> {
      const { name, redirectUris } = client;
      if ((await clients.countDocuments({ is_unused: true })) >= maxUnusedClients) {
        const old = { is_unused: true as const, expires_at: { $lt: new Date(expiresAt.getTime() - unusedKeptMs) } };
        if ((await clients.findOneAndDelete(old, { sort: { expires_at: 1 } })) === null) return undefined;
      }
      const registered = { name, redirect_uris: redirectUris, is_unused: true as const, expires_at: expiresAt };
      return (await clients.create(registered))._id.toHexString();
    },

    async findClient(id: string): Promise<OAuthClient | undefined> {
      if (!Types.ObjectId.isValid(id)) return undefined;
      const record = await clients.findOne({ _id: id, expires_at: { $gt: new Date() } }).lean();
      return record === null ? undefined : { id, name: record.name, redirectUris: record.redirect_uris };
    },

    async extendClient(id: string, until: Date): Promise<void> {
      await clients.updateOne({ _id: id }, { $set: { expires_at: until }, $unset: { is_unused: 1 } });
    },

    async addCode(hash: string, code: OAuthCode): Promise<void> {
      await codes.create({
        _id: hash,
        client_id: code.clientId,
        user_id: code.userId,
        organization_id: code.organizationId,
        scopes: code.scopes,
        redirect_uri: code.redirectUri,
        code_challenge: code.codeChallenge,
        expires_at: code.expiresAt,
      });
    },

    async findCode(hash: string): Promise<OAuthCode | undefined> {
      const record = await codes.findOne({ _id: hash, used_at: null }).lean();
      if (record === null) return undefined;
      return {
        clientId: record.client_id.toHexString(),
        userId: record.user_id.toHexString(),
        organizationId: record.organization_id.toHexString(),
        scopes: record.scopes,
        redirectUri: record.redirect_uri,
        codeChallenge: record.code_challenge,
        expiresAt: record.expires_at,
      };
    },

    /** True for exactly one caller. */
    async takeCode(hash: string): Promise<boolean> {
      const used = { used_at: new Date(), expires_at: new Date(Date.now() + usedCodeMs) };
      return (await codes.updateOne({ _id: hash, used_at: null }, { $set: used })).modifiedCount === 1;
    },

    /** Notes what a code was exchanged for. Returns false if it was used a second time meanwhile. */
    async noteAccess(hash: string, accessTokenId: string): Promise<boolean> {
      const set = { access_token_id: new Types.ObjectId(accessTokenId) };
      return (await codes.findOneAndUpdate({ _id: hash }, { $set: set }).lean())?.reused !== true;
    },

    /** Notes a second use of a code. Returns the access that it was exchanged for. */
    async noteReuse(hash: string): Promise<{ organizationId: string; id: string } | undefined> {
      const record = await codes
        .findOneAndUpdate({ _id: hash, used_at: { $ne: null } }, { $set: { reused: true } })
        .lean();
      const id = record?.access_token_id?.toHexString();
      return record && id !== undefined ? { organizationId: record.organization_id.toHexString(), id } : undefined;
    },

    async addRefreshToken(hash: string, token: Omit<OAuthRefreshToken, 'usedAt'>): Promise<void> {
      await refreshTokens.create({
        _id: hash,
        access_token_id: token.accessTokenId,
        client_id: token.clientId,
        user_id: token.userId,
        organization_id: token.organizationId,
        scopes: token.scopes,
        used_at: null,
        expires_at: token.expiresAt,
      });
    },

    async findRefreshToken(hash: string): Promise<OAuthRefreshToken | undefined> {
      const record = await refreshTokens.findById(hash).lean();
      if (record === null) return undefined;
      return {
        accessTokenId: record.access_token_id.toHexString(),
        clientId: record.client_id.toHexString(),
        userId: record.user_id.toHexString(),
        organizationId: record.organization_id.toHexString(),
        scopes: record.scopes,
        usedAt: record.used_at,
        expiresAt: record.expires_at,
      };
    },

    /** True for exactly one caller. Used tokens are kept until they expire, to detect a stolen one. */
    async takeRefreshToken(hash: string): Promise<boolean> {
      const { modifiedCount } = await refreshTokens.updateOne(
        { _id: hash, used_at: null },
        { $set: { used_at: new Date() } },
      );
      return modifiedCount === 1;
    },
  };
}
