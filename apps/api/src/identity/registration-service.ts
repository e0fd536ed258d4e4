import { DomainError, type Organization, type registerBody, type User } from '@docwright/contract';
import type { z } from 'zod';
import type { Principal } from './actor.ts';
import type { InvitationRepository } from './invitation-repository.ts';
import type { OrganizationRepository } from './organization-repository.ts';
import { hashPassword } from './password-hashing.ts';
import type { SessionRepository } from './session-repository.ts';
import type { SessionTokens } from './session-tokens.ts';
import type { SignInLinkRepository } from './sign-in-link-repository.ts';
import type { Account, UserRepository } from './user-repository.ts';
import { userOf } from './user-repository.ts';

type RegisterBody = z.output<typeof registerBody>;
export interface Registered {
  user: User;
  organization: Organization;
  access_token: string;
}
export type RegistrationService = ReturnType<typeof createRegistrationService>;

/** Who may open an account, and where they land. */
export function createRegistrationService(dependencies: {
  users: UserRepository;
  organizations: OrganizationRepository;
  invitations: InvitationRepository;
  links: SignInLinkRepository;
  sessions: SessionRepository;
  sessionTokens: SessionTokens;
  hashToken: (token: string) => string;
  allowSignup: boolean;
}) {
  const { users, organizations, invitations, links, sessions, sessionTokens, hashToken, allowSignup } = dependencies;

  async function claimFirstOrganization(owner: Account, person: RegisterBody) {
    const passwordHash = await hashPassword(person.password);
    const account = await users.claimOwner(owner.id, { email: person.email, name: person.name, passwordHash });
    if (account === undefined) throw signupClosed();
    await links.withdraw();
    await sessions.endAllOf(account.id);
    return { account, organization: await oldestOrganization(account.id) };
  }

  async function acceptInvitation(token: string, person: RegisterBody) {
    const tokenHash = hashToken(token);
    const invitation = await invitations.find(tokenHash);
    if (invitation === undefined || invitation.email !== person.email) {
      throw new DomainError(
        'invalid',
        'invitation_not_valid',
        'This invitation has expired, was used, or is for another e-mail address. Ask for a new one.',
      );
    }
    const passwordHash = await hashPassword(person.password);
    const account = await users.create({ email: person.email, name: person.name, passwordHash });
    if (await invitations.take(tokenHash)) {
      await organizations.addMember(invitation.organizationId, account.id, invitation.role);
    }
    return { account, organization: await oldestOrganization(account.id) };
  }

  async function foundOrganization(person: RegisterBody) {
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
     * `mayClaimUnproven` is true where only this machine can ask.
     */
    async register(
      person: RegisterBody,
      caller: { principal: Principal | undefined; mayClaimUnproven: boolean },
    ): Promise<Registered> {
      const owner = person.invitation_token === undefined ? await users.findUnclaimedOwner() : undefined;
      let result: { account: Account; organization: Organization };
      if (person.invitation_token !== undefined) {
        result = await acceptInvitation(person.invitation_token, person);
      } else if (owner !== undefined) {
        const proven =
          caller.mayClaimUnproven ||
          caller.principal?.userId === owner.id ||
          (person.setup_token !== undefined && (await links.take(hashToken(person.setup_token))));
        if (!proven) throw setupTokenNeeded();
        result = await claimFirstOrganization(owner, person);
      } else {
        if (!allowSignup) throw signupClosed();
        result = await foundOrganization(person);
      }
      const { account, organization } = result;
      return { user: userOf(account), organization, access_token: await sessionTokens.issue(account.id) };
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
