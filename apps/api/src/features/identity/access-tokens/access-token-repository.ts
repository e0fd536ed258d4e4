import { tokenScope, type AccessToken, type Role, type TokenScope } from '@docwright/contract';
import type { Connection } from 'mongoose';
import { readPage, type PageEnd, type PageSelection } from '../../../platform/database/page.ts';
import { accessTokenModel, type AccessTokenRecord } from './access-token-model.ts';
import { presentEach } from '../../../platform/records/unreadable-records.ts';

export type AccessTokenRepository = ReturnType<typeof createAccessTokenRepository>;
/** The rights of a request with this token. */
interface AccessGrant {
  id: string;
  organizationId: string;
  userId: string;
  name: string;
  role: Role;
  scopes: readonly TokenScope[];
}

/** The resolution of `last_used_at`, so that not every request writes. */
const lastUsedResolutionMs = 60_000;

export function createAccessTokenRepository(connection: Connection) {
  const tokens = accessTokenModel(connection);
  return {
    async create(token: {
      organizationId: string;
      userId: string;
      name: string;
      role: Role;
      scopes: TokenScope[];
      tokenHash: string;
      prefix: string;
      expiresAt: Date | null;
    }): Promise<AccessToken> {
      const record = await tokens.create({
        organization_id: token.organizationId,
        user_id: token.userId,
        name: token.name,
        role: token.role,
        scopes: token.scopes,
        token_hash: token.tokenHash,
        prefix: token.prefix,
        created_at: new Date(),
        expires_at: token.expiresAt,
      });
      return toAccessToken(record);
    },

    /** Returns the grant of an unexpired token, and records its use. */
    async use(tokenHash: string): Promise<AccessGrant | undefined> {
      const now = new Date();
      const record = await tokens
        .findOne({ token_hash: tokenHash, $or: [{ expires_at: null }, { expires_at: { $gt: now } }] })
        .lean();
      if (record === null) return undefined;
      if (now.getTime() - (record.last_used_at?.getTime() ?? 0) > lastUsedResolutionMs) {
        await tokens.updateOne({ _id: record._id }, { $set: { last_used_at: now } });
      }
      return {
        id: record._id.toHexString(),
        organizationId: record.organization_id.toHexString(),
        userId: record.user_id.toHexString(),
        name: record.name,
        role: record.role,
        scopes: record.scopes ?? tokenScope.options,
      };
    },

    /** Replaces the secret of a token that was not revoked; the previous secret stops working. */
    async renew(
      { organizationId, id }: { organizationId: string; id: string },
      next: { tokenHash: string; prefix: string; expiresAt: Date | null },
    ): Promise<boolean> {
      const { matchedCount } = await tokens.updateOne(
        { _id: id, organization_id: organizationId },
        { $set: { token_hash: next.tokenHash, prefix: next.prefix, expires_at: next.expiresAt } },
      );
      return matchedCount === 1;
    },

    /** Whether the token is neither revoked nor expired. */
    async isValid(tokenId: string): Promise<boolean> {
      const unexpired = { $or: [{ expires_at: null }, { expires_at: { $gt: new Date() } }] };
      return (await tokens.findOne({ _id: tokenId, ...unexpired }, { _id: 1 }).lean()) !== null;
    },

    /** Newest first; with `userId`, only that user's. */
    async list(
      organizationId: string,
      { userId, ...page }: PageSelection & { userId: string | undefined },
    ): Promise<{ access_tokens: AccessToken[] } & PageEnd> {
      const filter = { organization_id: organizationId, ...(userId === undefined ? {} : { user_id: userId }) };
      const { records, end } = await readPage(tokens, filter, { ...page, sort: { created_at: -1, _id: -1 } });
      return { access_tokens: presentEach(records, toAccessToken), ...end };
    },

    async delete(organizationId: string, tokenId: string, userId: string | undefined): Promise<boolean> {
      const { deletedCount } = await tokens.deleteOne({
        _id: tokenId,
        organization_id: organizationId,
        ...(userId === undefined ? {} : { user_id: userId }),
      });
      return deletedCount === 1;
    },

    async deleteAllOf(userId: string): Promise<void> {
      await tokens.deleteMany({ user_id: userId });
    },

    async deleteOfMember(organizationId: string, userId: string): Promise<void> {
      await tokens.deleteMany({ organization_id: organizationId, user_id: userId });
    },
  };
}

function toAccessToken(record: AccessTokenRecord): AccessToken {
  return {
    id: record._id.toHexString(),
    name: record.name,
    role: record.role,
    scopes: record.scopes ?? [...tokenScope.options],
    prefix: record.prefix,
    created_at: record.created_at.toISOString(),
    expires_at: record.expires_at?.toISOString() ?? null,
    last_used_at: record.last_used_at?.toISOString() ?? null,
  };
}
