import { DomainError } from '@docwright/contract';
import type { StoredInvitation, InvitationRepository } from './invitation-repository.ts';
import type { OrganizationRepository } from './organization-repository.ts';

/** An invitation whose token and e-mail address were checked. */
interface CheckedInvitation extends StoredInvitation {
  tokenHash: string;
}
export type InvitationAcceptance = ReturnType<typeof createInvitationAcceptance>;

/** Joins an organization with an invitation, at registration or with an existing account. */
export function createInvitationAcceptance(dependencies: {
  organizations: OrganizationRepository;
  invitations: InvitationRepository;
  hashToken: (token: string) => string;
}) {
  const { organizations, invitations, hashToken } = dependencies;
  return {
    /**
     * @throws DomainError invitation_not_valid for every problem, so that it reveals nothing about other invitations.
     */
    async check(token: string, email: string): Promise<CheckedInvitation> {
      const tokenHash = hashToken(token);
      const invitation = await invitations.find(tokenHash);
      if (invitation === undefined || invitation.email !== email) throw notValid();
      if ((await organizations.roleOf(invitation.organizationId, invitation.invitedBy)) !== 'admin') throw notValid();
      return { ...invitation, tokenHash };
    },

    /** The update checks again that the inviter is an admin, who can lose that role at any time. */
    async accept({ organizationId, role, invitedBy, tokenHash }: CheckedInvitation, userId: string): Promise<void> {
      const joined = await organizations.addMember(organizationId, userId, role, invitedBy);
      if (!joined && (await organizations.roleOf(organizationId, userId)) === undefined) throw notValid();
      await invitations.remove(tokenHash);
    },
  };
}

function notValid(): DomainError {
  return new DomainError(
    'invalid',
    'invitation_not_valid',
    'This invitation has expired, was used or revoked, or is for another e-mail address. Ask for a new one.',
  );
}
