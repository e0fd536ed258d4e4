import {
  DomainError,
  type Member,
  type Membership,
  type PageQuery,
  type Role,
  type SeenFields,
} from '@docwright/contract';
import type { AccessTokenRepository } from '../access-tokens/access-token-repository.ts';
import { requireAdmin, requireSession, type Actor, type Principal } from '../rights/actor.ts';
import type { InvitationAcceptance } from './invitation-acceptance.ts';
import type { InvitationRepository } from './invitation-repository.ts';
import type { OrganizationMember, OrganizationRepository } from './organization-repository.ts';
import type { SessionRepository } from '../sessions/session-repository.ts';
import { randomToken } from '../secrets/token-hash.ts';
import type { UserRepository } from '../users/user-repository.ts';
import { pageOfItems } from '../../../platform/database/page.ts';
import { requireSeen } from '../../../platform/records/seen-edit.ts';

const invitationLifetimeMs = 7 * 86_400_000;
export type MemberService = ReturnType<typeof createMemberService>;

/** The members of an organization and their roles. Only admins change them; every member can leave. */
export function createMemberService(dependencies: {
  users: UserRepository;
  organizations: OrganizationRepository;
  invitations: InvitationRepository;
  acceptance: InvitationAcceptance;
  accessTokens: AccessTokenRepository;
  sessions: SessionRepository;
  hashToken: (token: string) => string;
}) {
  const { users, organizations, invitations, acceptance, accessTokens, sessions, hashToken } = dependencies;

  async function membersOf(actor: Actor): Promise<OrganizationMember[]> {
    return (await organizations.findForMember(actor.organizationId, actor.userId))?.members ?? [];
  }

  async function withNames(members: OrganizationMember[]): Promise<Member[]> {
    const accounts = await users.findManyById(members.map((member) => member.userId));
    const byId = new Map(accounts.map((account) => [account.id, account]));
    return members.flatMap(({ userId, role, joinedAt }) => {
      const account = byId.get(userId);
      return account ? [{ user_id: userId, email: account.email, name: account.name, role, joined_at: joinedAt }] : [];
    });
  }

  async function getMember(actor: Actor, userId: string): Promise<Member> {
    const [member] = await withNames((await membersOf(actor)).filter((candidate) => candidate.userId === userId));
    if (member === undefined) throw new DomainError('not_found', 'not_found', 'The member does not exist.');
    return member;
  }

  return {
    async list(actor: Actor, page: PageQuery) {
      const { items, end } = pageOfItems(await membersOf(actor), page, ({ userId }) => userId);
      return { members: await withNames(items), ...end, skip: page.skip, limit: page.limit };
    },

    /**
     * A colleague who shares an organization with the admin joins at once. All others get an invitation, with or
     * without an account: the answer does not reveal which, and nobody joins without consent.
     */
    async add(actor: Actor, email: string, role: Role) {
      requireAdmin(actor);
      const account = await users.findByEmail(email);
      if (account !== undefined && (await organizations.shareOrganization(actor.userId, account.id))) {
        if ((await organizations.roleOf(actor.organizationId, account.id)) !== undefined) throw alreadyMember();
        if (!(await organizations.addMember(actor.organizationId, account.id, role, actor.userId))) {
          throw alreadyMember();
        }
        return { member: await getMember(actor, account.id) };
      }
      const token = randomToken();
      const { id, expiresAt } = await invitations.save(
        {
          organizationId: actor.organizationId,
          email,
          role,
          invitedBy: actor.userId,
          expiresAt: new Date(Date.now() + invitationLifetimeMs),
        },
        hashToken(token),
      );
      return { invitation: { id, token, expires_at: expiresAt.toISOString() } };
    },

    /** Usable invitations. */
    async listInvitations(actor: Actor, page: PageQuery) {
      requireAdmin(actor);
      const listed = await invitations.list(actor.organizationId, page);
      const inviters = await users.findManyById(listed.invitations.map(({ invitedBy }) => invitedBy));
      const names = new Map(inviters.map(({ id, name }) => [id, name]));
      return {
        invitations: listed.invitations.map(({ id, email, role, invitedBy, createdAt, expiresAt }) => ({
          id,
          email,
          role,
          invited_by: { user_id: invitedBy, name: names.get(invitedBy) ?? '' },
          created_at: createdAt.toISOString(),
          expires_at: expiresAt.toISOString(),
        })),
        ...listed.end,
        skip: page.skip,
        limit: page.limit,
      };
    },

    async revokeInvitation(actor: Actor, invitationId: string): Promise<void> {
      requireAdmin(actor);
      if (!(await invitations.revoke(actor.organizationId, invitationId))) {
        throw new DomainError('not_found', 'not_found', 'The invitation does not exist.');
      }
    },

    /** A user with an account joins with an invitation for their e-mail address. */
    async acceptInvitation(principal: Principal, token: string): Promise<Membership> {
      requireSession(principal);
      const account = await users.findById(principal.userId);
      if (account === undefined) throw new DomainError('unauthenticated', 'no_account', 'This account was deleted.');
      const invitation = await acceptance.check(token, account.email);
      await acceptance.accept(invitation, account.id);
      const joined = await organizations.findForMember(invitation.organizationId, account.id);
      if (joined === undefined)
        throw new DomainError('not_found', 'not_found', 'This does not exist, or you have no access to it.');
      const role = joined.members.find(({ userId }) => userId === account.id)?.role ?? invitation.role;
      return { ...joined.organization, role };
    },

    async changeRole(actor: Actor, userId: string, role: Role, seen?: SeenFields): Promise<Member> {
      requireAdmin(actor);
      const member = await getMember(actor, userId);
      requireSeen('member', seen, member);
      const isChanged = await organizations.changeRole(actor.organizationId, userId, role, seen && member.role);
      if (!isChanged) {
        requireSeen('member', seen, await getMember(actor, userId));
        throw lastAdmin();
      }
      if (role !== 'admin') await invitations.deleteOfInviter(actor.organizationId, userId);
      return { ...member, role };
    },

    /** After a lost password or device: ends the member's sessions everywhere, and their access tokens here. */
    async signOut(actor: Actor, userId: string): Promise<void> {
      requireAdmin(actor);
      await getMember(actor, userId);
      await Promise.all([sessions.endAllOf(userId), accessTokens.deleteOfMember(actor.organizationId, userId)]);
    },

    /** Also ends the member's access tokens and invitations there. */
    async remove(actor: Actor, userId: string): Promise<void> {
      if (actor.userId !== userId) requireAdmin(actor);
      await getMember(actor, userId);
      if (!(await organizations.removeMember(actor.organizationId, userId))) throw lastAdmin();
      await Promise.all([
        accessTokens.deleteOfMember(actor.organizationId, userId),
        invitations.deleteOfInviter(actor.organizationId, userId),
      ]);
    },
  };
}

function alreadyMember(): DomainError {
  return new DomainError('conflict', 'already_member', 'This user is already a member of the organization.');
}

function lastAdmin(): DomainError {
  return new DomainError(
    'invalid',
    'last_admin',
    'This is the only admin of the organization. Make another member an admin first.',
  );
}
