import { DomainError, objectId, type Role } from '@docwright/contract';
import type { AccessTokenRepository } from '../access-tokens/access-token-repository.ts';
import { lesserRole, type Actor, type Principal } from '../rights/actor.ts';
import type { Credentials } from './credentials.ts';
import type { OrganizationRepository } from '../organizations/organization-repository.ts';
import type { SessionTokens } from '../sessions/session-tokens.ts';

type AccessAhead = ReturnType<OrganizationRepository['accessOf']> | undefined;

export type AuthenticationService = ReturnType<typeof createAuthenticationService>;

/** Identifies callers and their rights. */
export function createAuthenticationService(dependencies: {
  organizations: OrganizationRepository;
  accessTokens: AccessTokenRepository;
  sessionTokens: SessionTokens;
  hashToken: (token: string) => string;
}) {
  const { organizations, accessTokens, sessionTokens, hashToken } = dependencies;

  async function byAccessToken(token: string): Promise<Principal | undefined> {
    const grant = await accessTokens.use(hashToken(token));
    return grant && { userId: grant.userId, token: grant };
  }

  /** @throws DomainError not_found if the organization does not exist or is not the caller's. */
  async function actorIn(principal: Principal, organizationId: string, ahead?: AccessAhead): Promise<Actor> {
    const id = objectId.safeParse(organizationId).data;
    const reachable = id !== undefined && (principal.token === undefined || principal.token.organizationId === id);
    const access = reachable ? await (ahead ?? organizations.accessOf(id, principal.userId)) : undefined;
    if (id === undefined || access === undefined) {
      throw new DomainError('not_found', 'not_found', 'This does not exist, or you have no access to it.');
    }
    if (lacksSecondFactor(principal, access)) {
      throw new DomainError(
        'forbidden',
        'second_factor_required',
        'This organization requires a second factor. Turn one on in the settings of your account.',
      );
    }
    const { role } = access;
    return {
      organizationId: id,
      userId: principal.userId,
      role: principal.token === undefined ? role : lesserRole(role, principal.token.role),
      ...(principal.token && { token: { id: principal.token.id, name: principal.token.name } }),
    };
  }

  /** The actor of an absent user whose work continues; undefined if they have left. */
  const actorOf = async (
    { organizationId, userId }: Pick<Actor, 'organizationId' | 'userId'>,
    atMost: Role,
  ): Promise<Actor | undefined> => {
    const role = await organizations.roleOf(organizationId, userId);
    return role && { organizationId, userId, role: lesserRole(role, atMost) };
  };

  return {
    actorIn,

    /**
     * Starts to read what a session's user may do in an organization while the session itself is read, so that both go to
     * the database in one command. It counts only for the principal that the session turns out to have.
     */
    accessAhead(credentials: Credentials | undefined, organizationId: string | undefined): AccessAhead {
      if (credentials === undefined || credentials.kind === 'access_token' || organizationId === undefined)
        return undefined;
      const userId = sessionTokens.userOf(credentials.jwt);
      const ahead = userId === undefined ? undefined : organizations.accessOf(organizationId, userId);
      // Nobody waits for it if the session is not open.
      ahead?.catch(() => undefined);
      return ahead;
    },

    actorOf,

    /** Undefined if the credentials are unknown, expired or revoked. */
    async authenticate(credentials: Credentials): Promise<Principal | undefined> {
      return credentials.kind === 'access_token'
        ? byAccessToken(credentials.token)
        : sessionTokens.read(credentials.jwt);
    },

    /** Whether the credentials and the membership of an ongoing request are still valid. */
    async isStillValid(principal: Principal, { organizationId }: Actor): Promise<boolean> {
      const { userId, token, sessionId } = principal;
      const isSignedIn =
        token === undefined
          ? sessionId !== undefined && (await sessionTokens.isOpen(sessionId, userId))
          : await accessTokens.isValid(token.id);
      if (!isSignedIn) return false;
      const access = await organizations.accessOf(organizationId, userId);
      return access !== undefined && !lacksSecondFactor(principal, access);
    },

    /** The token's organization, else the user's oldest membership. */
    async actorInDefaultOrganization(principal: Principal): Promise<Actor> {
      if (principal.token !== undefined) return actorIn(principal, principal.token.organizationId);
      const [oldest] = await organizations.listForMember(principal.userId);
      if (oldest === undefined) {
        throw new DomainError('not_found', 'no_organization', 'You belong to no organization. Create one first.');
      }
      return actorIn(principal, oldest.organization.id);
    },
  };
}

/** Required only of users: a program's token was created by a signed-in user. */
function lacksSecondFactor(
  { token, secondFactor }: Principal,
  { requiresSecondFactor }: { requiresSecondFactor: boolean },
): boolean {
  return requiresSecondFactor && token === undefined && secondFactor !== true;
}
