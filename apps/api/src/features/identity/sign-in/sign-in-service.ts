import { DomainError, type Me, type User } from '@docwright/contract';
import type { Principal } from '../actor.ts';
import type { OrganizationService } from '../organizations/organization-service.ts';
import { verifyPassword } from './password-hashing.ts';
import type { SessionRepository } from './session-repository.ts';
import type { SessionTokens } from './session-tokens.ts';
import type { SignInLinkRepository } from './sign-in-link-repository.ts';
import { randomToken } from '../token-hash.ts';
import { userOf, type UserRepository } from '../user-repository.ts';

export type SignInService = ReturnType<typeof createSignInService>;

export function createSignInService(dependencies: {
  users: UserRepository;
  organizations: OrganizationService;
  links: SignInLinkRepository;
  sessions: SessionRepository;
  sessionTokens: SessionTokens;
  hashToken: (token: string) => string;
}) {
  const { users, organizations, links, sessions, sessionTokens, hashToken } = dependencies;
  return {
    /** Undefined, and after the same time, whether there is no such account or the password is wrong. */
    async login(email: string, password: string): Promise<{ user: User; access_token: string } | undefined> {
      const account = await users.findByEmail(email);
      const matches = await verifyPassword(account?.passwordHash, password);
      if (account === undefined || !matches) return undefined;
      return { user: userOf(account), access_token: await sessionTokens.issue(account.id) };
    },

    async logout(principal: Principal): Promise<void> {
      if (principal.sessionId !== undefined) await sessions.end(principal.sessionId);
    },

    /** A new token for the printed link, which ends the former one; undefined once somebody has registered. */
    async createLinkToken(): Promise<string | undefined> {
      if ((await users.findUnclaimedOwner()) === undefined) return undefined;
      const token = randomToken();
      await links.replace(hashToken(token));
      return token;
    },

    /** Signs in as the owner without a password, once; undefined when the token is used, old or unknown. */
    async followLink(token: string): Promise<string | undefined> {
      const owner = await users.findUnclaimedOwner();
      if (owner === undefined || !(await links.take(hashToken(token)))) return undefined;
      return sessionTokens.issue(owner.id);
    },

    async me(principal: Principal): Promise<Me> {
      const account = await users.findById(principal.userId);
      if (account === undefined) throw new DomainError('unauthenticated', 'no_account', 'This account is gone.');
      return {
        user: { ...userOf(account), has_password: account.passwordHash !== null },
        organizations: await organizations.memberships(principal),
      };
    },
  };
}
