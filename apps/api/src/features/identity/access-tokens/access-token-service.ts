import {
  DomainError,
  tokenScope,
  type AccessToken,
  type PageQuery,
  type Role,
  type TokenScope,
} from '@docwright/contract';
import type { AccessTokenRepository } from './access-token-repository.ts';
import { lesserRole, requireWriter, type Actor, type Principal } from '../actor.ts';
import { accessTokenPrefix } from '../credentials.ts';
import { randomToken } from '../token-hash.ts';

const dayMs = 86_400_000;
/** Who proposes does not also approve, unless asked for. */
const forMcp: readonly TokenScope[] = ['read', 'propose'];

interface CreateAccessToken {
  name: string;
  lifetime_days: number;
  role?: Role | undefined;
  scopes?: TokenScope[] | undefined;
  purpose?: 'program' | 'mcp' | undefined;
}

export type AccessTokenService = ReturnType<typeof createAccessTokenService>;

/** Tokens for programs. One acts for the person who made it, in one organization, never above their role. */
export function createAccessTokenService({
  accessTokens,
  hashToken,
}: {
  accessTokens: AccessTokenRepository;
  hashToken: (token: string) => string;
}) {
  return {
    /** @throws DomainError forbidden when a token asks, since it could outlive itself that way. */
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
      const token = accessTokenPrefix + randomToken();
      const created = await accessTokens.create({
        organizationId: actor.organizationId,
        userId: actor.userId,
        name,
        role: role ?? actor.role,
        scopes: [...new Set(scopes ?? (purpose === 'mcp' ? forMcp : tokenScope.options))],
        tokenHash: hashToken(token),
        prefix: token.slice(0, accessTokenPrefix.length + 6),
        expiresAt: lifetime_days === 0 ? null : new Date(Date.now() + lifetime_days * dayMs),
      });
      return { ...created, token };
    },

    /** Another secret for a token that a program was given; undefined where it was revoked meanwhile. */
    async renew(token: { organizationId: string; id: string }, lifetime_days: number): Promise<string | undefined> {
      const secret = accessTokenPrefix + randomToken();
      const next = {
        tokenHash: hashToken(secret),
        prefix: secret.slice(0, accessTokenPrefix.length + 6),
        expiresAt: new Date(Date.now() + lifetime_days * dayMs),
      };
      return (await accessTokens.renew(token, next)) ? secret : undefined;
    },

    /** Takes a token from a program whose sign-in somebody else has used. */
    async revoke({ organizationId, id }: { organizationId: string; id: string }): Promise<void> {
      await accessTokens.delete(organizationId, id, undefined);
    },

    /** An admin sees all of the organization's tokens, anybody else their own. */
    async list(actor: Actor, { skip, limit }: PageQuery) {
      return {
        ...(await accessTokens.list(actor.organizationId, { userId: ownerSeen(actor), skip, limit })),
        skip,
        limit,
      };
    },

    async delete(actor: Actor, tokenId: string): Promise<void> {
      if (!(await accessTokens.delete(actor.organizationId, tokenId, ownerSeen(actor)))) {
        throw new DomainError('not_found', 'not_found', 'There is no such access token.');
      }
    },
  };
}

function ownerSeen(actor: Actor): string | undefined {
  return actor.role === 'admin' ? undefined : actor.userId;
}
