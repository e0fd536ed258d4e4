import { DomainError, type Me, type PageQuery, type User } from '@docwright/contract';
import type { AccessTokenRepository } from '../access-tokens/access-token-repository.ts';
import { requireSession, type Principal } from '../rights/actor.ts';
import type { OrganizationService } from '../organizations/organization-service.ts';
import { hashPassword, verifyPassword } from '../secrets/password-hashing.ts';
import type { SecondFactorService } from '../second-factor/second-factor-service.ts';
import { requireUncommonPassword } from '../secrets/password-rules.ts';
import type { Device, SessionRepository } from '../sessions/session-repository.ts';
import type { SessionTokens } from '../sessions/session-tokens.ts';
import type { SignInLinkRepository } from './sign-in-link-repository.ts';
import { randomToken } from '../secrets/token-hash.ts';
import { userOf, type UserRepository } from '../users/user-repository.ts';

export type SignInService = ReturnType<typeof createSignInService>;

export function createSignInService(dependencies: {
  users: UserRepository;
  organizations: OrganizationService;
  links: SignInLinkRepository;
  sessions: SessionRepository;
  accessTokens: AccessTokenRepository;
  sessionTokens: SessionTokens;
  secondFactor: Pick<SecondFactorService, 'verifyAtSignIn'>;
  hashToken: (token: string) => string;
}) {
  const { users, organizations, links, sessions, accessTokens, sessionTokens, secondFactor, hashToken } = dependencies;
  return {
    /**
     * `refused` for an unknown account or a wrong password, after the same time. `code_needed` if the password is
     * correct and the code of the second factor is missing.
     * @throws DomainError wrong_code, too_many_sign_ins
     */
    async login(
      { email, password, code }: { email: string; password: string; code?: string | undefined },
      device: Device,
    ): Promise<{ user: User; access_token: string } | 'refused' | 'code_needed'> {
      const account = await users.findByEmail(email);
      const matches = await verifyPassword(account?.passwordHash, password);
      if (account === undefined || !matches) return 'refused';
      const shown = await secondFactor.verifyAtSignIn(account.id, code);
      if (shown === 'needed') return 'code_needed';
      return { user: userOf(account), access_token: await sessionTokens.issue(account.id, device, shown === 'shown') };
    },

    async logout(principal: Principal): Promise<void> {
      if (principal.sessionId !== undefined) await sessions.end(principal.sessionId);
    },

    /** Ends every other session, to lock out others who knew the previous password. */
    async changePassword(
      principal: Principal,
      { current_password, new_password }: { current_password: string; new_password: string },
    ): Promise<void> {
      const sessionId = requireSession(principal);
      const account = await users.findById(principal.userId);
      if (account === undefined || !(await verifyPassword(account.passwordHash, current_password))) {
        throw new DomainError('forbidden', 'wrong_password', 'The current password is wrong.');
      }
      await requireUncommonPassword(new_password, account.email);
      await users.setPasswordHash(account.id, await hashPassword(new_password));
      await sessions.endAllOf(account.id, sessionId);
    },

    async listSessions(principal: Principal, page: PageQuery) {
      const currentId = requireSession(principal);
      const { sessions: listed, ...counted } = await sessions.list(principal.userId, page);
      return {
        sessions: listed.map((session) => ({ ...session, is_current: session.id === currentId })),
        ...counted,
        skip: page.skip,
        limit: page.limit,
      };
    },

    async endSession(principal: Principal, sessionId: string): Promise<void> {
      requireSession(principal);
      if (!(await sessions.endOne(principal.userId, sessionId))) {
        throw new DomainError('not_found', 'not_found', 'The session does not exist.');
      }
    },

    async endSessions(principal: Principal, options: { keep_current: boolean; access_tokens: boolean }): Promise<void> {
      const currentId = requireSession(principal);
      if (options.access_tokens) await accessTokens.deleteAllOf(principal.userId);
      await sessions.endAllOf(principal.userId, options.keep_current ? currentId : undefined);
    },

    /** A new token for the printed link, which invalidates the previous one; undefined after the first registration. */
    async createLinkToken(): Promise<string | undefined> {
      if ((await users.findUnclaimedOwner()) === undefined) return undefined;
      const token = randomToken();
      await links.replace(hashToken(token));
      return token;
    },

    /** Signs in as the owner without a password, once; undefined if the token is used, replaced or unknown. */
    async followLink(token: string, device: Device): Promise<string | undefined> {
      const owner = await users.findUnclaimedOwner();
      if (owner === undefined || !(await links.take(hashToken(token)))) return undefined;
      return sessionTokens.issue(owner.id, device);
    },

    async me(principal: Principal): Promise<Me> {
      const account = await users.findById(principal.userId);
      if (account === undefined) throw new DomainError('unauthenticated', 'no_account', 'This account was deleted.');
      return {
        user: { ...userOf(account), has_password: account.passwordHash !== null },
        organizations: await organizations.memberships(principal),
      };
    },
  };
}
