import { DomainError, type Organization, type registerBody, type User } from '@docwright/contract';
import type { z } from 'zod';
import type { Principal } from '../rights/actor.ts';
import type { InvitationAcceptance } from '../organizations/invitation-acceptance.ts';
import type { OrganizationRepository } from '../organizations/organization-repository.ts';
import { hashPassword } from '../secrets/password-hashing.ts';
import { requireUncommonPassword } from '../secrets/password-rules.ts';
import type { Device, SessionRepository } from '../sessions/session-repository.ts';
import type { SessionTokens } from '../sessions/session-tokens.ts';
import type { SignInLinkRepository } from './sign-in-link-repository.ts';
import { userOf, type Account, type UserRepository } from '../users/user-repository.ts';

type RegisterBody = z.output<typeof registerBody>;
export interface Registered {
  user: User;
  organization: Organization;
  access_token: string;
}
interface Joined {
  account: Account;
  organization: Organization;
}
interface Caller {
  principal: Principal | undefined;
  /** True if only this machine can reach the server. */
  canClaimWithoutToken: boolean;
  device: Device;
}
export type RegistrationService = ReturnType<typeof createRegistrationService>;

/** Decides who can register, and which organization they join. */
export function createRegistrationService(dependencies: {
  users: UserRepository;
  organizations: OrganizationRepository;
  acceptance: InvitationAcceptance;
  links: SignInLinkRepository;
  sessions: SessionRepository;
  sessionTokens: SessionTokens;
  hashToken: (token: string) => string;
  allowSignup: boolean;
}) {
  const { users, organizations, acceptance, links, sessions, sessionTokens, hashToken, allowSignup } = dependencies;

  /** Undefined if another caller was faster. */
  async function claimFirstOrganization(owner: Account, registrant: RegisterBody): Promise<Joined | undefined> {
    const passwordHash = await hashPassword(registrant.password);
    const account = await users.claimOwner(owner.id, { email: registrant.email, name: registrant.name, passwordHash });
    if (account === undefined) return undefined;
    await links.withdraw();
    await sessions.endAllOf(account.id);
    return { account, organization: await oldestOrganization(account.id) };
  }

  async function claimIfFirst(registrant: RegisterBody, caller: Caller): Promise<Joined | undefined> {
    const owner = await users.findUnclaimedOwner();
    if (owner === undefined) return undefined;
    const proven =
      caller.canClaimWithoutToken ||
      caller.principal?.userId === owner.id ||
      (registrant.setup_token !== undefined && (await links.take(hashToken(registrant.setup_token))));
    if (!proven) throw setupTokenNeeded();
    return claimFirstOrganization(owner, registrant);
  }

  async function registerWithInvitation(token: string, registrant: RegisterBody): Promise<Joined> {
    const invitation = await acceptance.check(token, registrant.email);
    const passwordHash = await hashPassword(registrant.password);
    const account = await users.create({ email: registrant.email, name: registrant.name, passwordHash });
    try {
      await acceptance.accept(invitation, account.id);
    } catch (error) {
      await users.remove(account.id);
      throw error;
    }
    return { account, organization: await oldestOrganization(account.id) };
  }

  async function foundOrganization(registrant: RegisterBody): Promise<Joined> {
    if (!allowSignup) throw signupClosed();
    const passwordHash = await hashPassword(registrant.password);
    const account = await users.create({ email: registrant.email, name: registrant.name, passwordHash });
    return { account, organization: await organizations.create(`${registrant.name}'s organization`, account.id) };
  }

  async function oldestOrganization(userId: string): Promise<Organization> {
    const [oldest] = await organizations.listForMember(userId);
    if (oldest === undefined) throw new Error('The user has no organization after joining one.');
    return oldest.organization;
  }

  return {
    /**
     * An invited user joins the invitation's organization; else the first user claims the first organization; else the
     * user gets their own organization, if ALLOW_SIGNUP is set.
     */
    async register(registrant: RegisterBody, caller: Caller): Promise<Registered> {
      await requireUncommonPassword(registrant.password, registrant.email);
      const { account, organization } =
        registrant.invitation_token === undefined
          ? ((await claimIfFirst(registrant, caller)) ?? (await foundOrganization(registrant)))
          : await registerWithInvitation(registrant.invitation_token, registrant);
      return {
        user: userOf(account),
        organization,
        access_token: await sessionTokens.issue(account.id, caller.device),
      };
    },
  };
}

function signupClosed(): DomainError {
  return new DomainError(
    'forbidden',
    'signup_closed',
    'Registering needs an invitation here. Ask an admin for one, or let the operator set ALLOW_SIGNUP=true.',
  );
}

function setupTokenNeeded(): DomainError {
  return new DomainError(
    'forbidden',
    'setup_token_needed',
    'The first registration needs the setup_token: the token of the link that the server printed, unused.',
  );
}
