import {
  DomainError,
  tokenScope,
  type AccessToken,
  type PageQuery,
  type Role,
  type TokenScope,
} from '@docwright/contract';
import type { AccessTokenRepository } from './access-token-repository.ts';
import { lesserRole, requireWriter, type Actor, type Principal } from '../rights/actor.ts';
import { randomToken } from '../secrets/token-hash.ts';

/** The prefix of access tokens, which distinguishes them from JWTs and helps scanners find leaked ones. */
export const accessTokenPrefix = 'dw_';
const dayMs = 86_400_000;
/** A proposing client does not also approve, unless requested. */
const mcpScopes: readonly TokenScope[] = ['read', 'propose'];

interface CreateAccessToken {
  name: string;
  lifetime_days: number;
  role?: Role | undefined;
  scopes?: TokenScope[] | undefined;
  purpose?: 'program' | 'mcp' | undefined;
}

export type AccessTokenService = ReturnType<typeof createAccessTokenService>;

/** Tokens for programs. A token acts for its creator, in one organization, never above their role. */
export function createAccessTokenService({
  accessTokens,
  hashToken,
}: {
  accessTokens: AccessTokenRepository;
  hashToken: (token: string) => string;
}) {
  function newToken(lifetimeDays: number) {
    const token = accessTokenPrefix + randomToken();
    const prefix = token.slice(0, accessTokenPrefix.length + 6);
    const expiresAt = lifetimeDays === 0 ? null : new Date(Date.now() + lifetimeDays * dayMs);
    return { token, stored: { tokenHash: hashToken(token), prefix, expiresAt } };
  }

  return {
    /** @throws DomainError forbidden for a request with a token, since a token could extend its own life. */
    async create(
      actor: Actor,
      principal: Principal,
      { name, lifetime_days, role, scopes, purpose }: CreateAccessToken,
    ): Promise<AccessToken & { token: string }> {
      requireWriter(actor);
      if (principal.token !== undefined) {
        throw new DomainError(
          'forbidden',
          'token_cannot_make_tokens',
          'An access token cannot make another. Sign in with a password.',
        );
      }
      if (role !== undefined && lesserRole(role, actor.role) !== role) {
        throw new DomainError('forbidden', 'role_above_own', 'A token cannot have a higher role than you have.');
      }
      const { token, stored } = newToken(lifetime_days);
      const created = await accessTokens.create({
        organizationId: actor.organizationId,
        userId: actor.userId,
        name,
        role: role ?? actor.role,
        scopes: [...new Set(scopes ?? (purpose === 'mcp' ? mcpScopes : tokenScope.options))],
        ...stored,
      });
      return { ...created, token };
    },

    /** A new secret for a token that a program uses; undefined if it was revoked meanwhile. */
    async renew(renewed: { organizationId: string; id: string }, lifetimeDays: number): Promise<string | undefined> {
      const { token, stored } = newToken(lifetimeDays);
      return (await accessTokens.renew(renewed, stored)) ? token : undefined;
    },

    /** Revokes the token of a program whose refresh token was stolen. */
    async revoke({ organizationId, id }: { organizationId: string; id: string }): Promise<void> {
      await accessTokens.delete(organizationId, id, undefined);
    },

    /** Admins see all tokens of the organization, others their own. */
    async list(actor: Actor, page: PageQuery) {
      const listed = await accessTokens.list(actor.organizationId, { ...page, userId: visibleOwner(actor) });
      return { ...listed, skip: page.skip, limit: page.limit };
    },

    async delete(actor: Actor, tokenId: string): Promise<void> {
      if (!(await accessTokens.delete(actor.organizationId, tokenId, visibleOwner(actor)))) {
        throw new DomainError('not_found', 'not_found', 'The access token does not exist.');
      }
    },
  };
}

function visibleOwner(actor: Actor): string | undefined {
  return actor.role === 'admin' ? undefined : actor.userId;
}
