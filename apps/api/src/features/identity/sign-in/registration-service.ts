import { DomainError, type Organization, type registerBody, type User } from '@docwright/contract';
import type { z } from 'zod';
import type { Principal } from '../actor.ts';
import type { InvitationAcceptance } from '../organizations/invitation-acceptance.ts';
import type { OrganizationRepository } from '../organizations/organization-repository.ts';
import { hashPassword } from './password-hashing.ts';
import { requireUncommonPassword } from './password-rules.ts';
import type { Device, SessionRepository } from './session-repository.ts';
import type { SessionTokens } from './session-tokens.ts';
import type { SignInLinkRepository } from './sign-in-link-repository.ts';
import type { Account, UserRepository } from '../user-repository.ts';
import { userOf } from '../user-repository.ts';

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
  /** Where only this machine can ask, asking is proof enough. */
  mayClaimUnproven: boolean;
  device: Device;
}
export type RegistrationService = ReturnType<typeof createRegistrationService>;

/** Who may open an account, and where they land. */
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

  /** Undefined when somebody else was faster. */
  async function claimFirstOrganization(owner: Account, person: RegisterBody): Promise<Joined | undefined> {
    const passwordHash = await hashPassword(person.password);
    const account = await users.claimOwner(owner.id, { email: person.email, name: person.name, passwordHash });
    if (account === undefined) return undefined;
    await links.withdraw();
    await sessions.endAllOf(account.id);
    return { account, organization: await oldestOrganization(account.id) };
  }

  async function claimIfFirst(person: RegisterBody, caller: Caller): Promise<Joined | undefined> {
    const owner = await users.findUnclaimedOwner();
    if (owner === undefined) return undefined;
    const proven =
      caller.mayClaimUnproven ||
      caller.principal?.userId === owner.id ||
      (person.setup_token !== undefined && (await links.take(hashToken(person.setup_token))));
    if (!proven) throw setupTokenNeeded();
    return claimFirstOrganization(owner, person);
  }

  async function registerWithInvitation(token: string, person: RegisterBody): Promise<Joined> {
    const invitation = await acceptance.check(token, person.email);
    const passwordHash = await hashPassword(person.password);
    const account = await users.create({ email: person.email, name: person.name, passwordHash });
    try {
      await acceptance.accept(invitation, account.id);
    } catch (error) {
      await users.remove(account.id);
      throw error;
    }
    return { account, organization: await oldestOrganization(account.id) };
  }

  async function foundOrganization(person: RegisterBody): Promise<Joined> {
    if (!allowSignup) throw signupClosed();
    const passwordHash = await hashPassword(person.password);
    const account = await users.create({ email: person.email, name: person.name, passwordHash });
    return { account, organization: await organizations.create(`${person.name}'s organization`, account.id) };
  }

  async function oldestOrganization(userId: string): Promise<Organization> {
    const [oldest] = await organizations.listForMember(userId);
    if (oldest === undefined) throw new Error('a person who just joined an organization has none');
    return oldest.organization;
  }

  return {
    /**
     * With an invitation one joins its organization; else the first person claims the first
     * organization; else one founds an organization of one's own, where ALLOW_SIGNUP lets one.
     */
    async register(person: RegisterBody, caller: Caller): Promise<Registered> {
      await requireUncommonPassword(person.password, person.email);
      const { account, organization } =
        person.invitation_token === undefined
          ? ((await claimIfFirst(person, caller)) ?? (await foundOrganization(person)))
          : await registerWithInvitation(person.invitation_token, person);
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
