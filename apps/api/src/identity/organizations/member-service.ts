import { DomainError, type Member, type PageQuery, type Role } from '@docwright/contract';
import type { AccessTokenRepository } from '../access-tokens/access-token-repository.ts';
import { requireAdmin, type Actor } from '../actor.ts';
import type { InvitationRepository } from './invitation-repository.ts';
import type { OrganizationMember, OrganizationRepository } from './organization-repository.ts';
import { randomToken } from '../token-hash.ts';
import type { UserRepository } from '../user-repository.ts';

const invitationLifetimeMs = 7 * 86_400_000;
export type MemberService = ReturnType<typeof createMemberService>;

/** Who belongs to an organization, and as what. Only admins change it; anybody may leave. */
export function createMemberService(dependencies: {
  users: UserRepository;
  organizations: OrganizationRepository;
  invitations: InvitationRepository;
  accessTokens: AccessTokenRepository;
  hashToken: (token: string) => string;
}) {
  const { users, organizations, invitations, accessTokens, hashToken } = dependencies;

  async function membersOf(actor: Actor): Promise<OrganizationMember[]> {
    return (await organizations.findForMember(actor.organizationId, actor.userId))?.members ?? [];
  }

  async function withNames(members: OrganizationMember[]): Promise<Member[]> {
    const people = await users.findManyById(members.map((member) => member.userId));
    const byId = new Map(people.map((person) => [person.id, person]));
    return members.flatMap(({ userId, role, joinedAt }) => {
      const person = byId.get(userId);
      return person ? [{ user_id: userId, email: person.email, name: person.name, role, joined_at: joinedAt }] : [];
    });
  }

  async function getMember(actor: Actor, userId: string): Promise<Member> {
    const [member] = await withNames((await membersOf(actor)).filter((candidate) => candidate.userId === userId));
    if (member === undefined) throw new DomainError('not_found', 'not_found', 'There is no such member.');
    return member;
  }

  return {
    async list(actor: Actor, { skip, limit }: PageQuery) {
      const all = await membersOf(actor);
      return { members: await withNames(all.slice(skip, skip + limit)), total_count: all.length, skip, limit };
    },

    /** Who has an account joins at once; anybody else gets an invitation to register with. */
    async add(actor: Actor, email: string, role: Role) {
      requireAdmin(actor);
      const account = await users.findByEmail(email);
      if (account === undefined) {
        const token = randomToken();
        const expiresAt = new Date(Date.now() + invitationLifetimeMs);
        await invitations.save({ organizationId: actor.organizationId, email, role }, hashToken(token), expiresAt);
        return { invitation: { token, expires_at: expiresAt.toISOString() } };
      }
      if (!(await organizations.addMember(actor.organizationId, account.id, role))) {
        throw new DomainError('conflict', 'already_member', 'This person belongs to the organization already.');
      }
      return { member: await getMember(actor, account.id) };
    },

    async changeRole(actor: Actor, userId: string, role: Role): Promise<Member> {
      requireAdmin(actor);
      const member = await getMember(actor, userId);
      if (!(await organizations.changeRole(actor.organizationId, userId, role))) throw lastAdmin();
      return { ...member, role };
    },

    /** Also ends the access tokens the person made there. */
    async remove(actor: Actor, userId: string): Promise<void> {
      if (actor.userId !== userId) requireAdmin(actor);
      await getMember(actor, userId);
      if (!(await organizations.removeMember(actor.organizationId, userId))) throw lastAdmin();
      await accessTokens.deleteOfMember(actor.organizationId, userId);
    },
  };
}

function lastAdmin(): DomainError {
  return new DomainError(
    'invalid',
    'last_admin',
    'This is the only admin of the organization. Make somebody else an admin first.',
  );
}
