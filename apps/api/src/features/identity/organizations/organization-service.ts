import { DomainError, type Membership, type Organization, type PageQuery, type Role } from '@docwright/contract';
import { lesserRole, requireAdmin, type Actor, type Principal } from '../rights/actor.ts';
import { withoutAdded } from '../../../platform/records/seen-edit.ts';
import type { OrganizationChange, OrganizationRepository } from './organization-repository.ts';
import { pageOfItems } from '../../../platform/database/page.ts';

export type OrganizationService = ReturnType<typeof createOrganizationService>;

export function createOrganizationService({ organizations }: { organizations: OrganizationRepository }) {
  return {
    /** A user's memberships; an access token sees only its organization, with its role there. */
    async memberships({ userId, token }: Principal): Promise<Membership[]> {
      const joined = await organizations.listForMember(userId);
      return joined
        .filter(({ organization }) => token === undefined || organization.id === token.organizationId)
        .map(({ organization, members }) => {
          const role = members.find((member) => member.userId === userId)?.role ?? 'viewer';
          return { ...organization, role: token === undefined ? role : lesserRole(role, token.role) };
        });
    },

    async list(principal: Principal, page: PageQuery) {
      const { items, end } = pageOfItems(await this.memberships(principal), page, ({ id }) => id);
      return { organizations: items, ...end, skip: page.skip, limit: page.limit };
    },

    async create(principal: Principal, name: string): Promise<Membership> {
      if (principal.token !== undefined) {
        throw new DomainError(
          'forbidden',
          'token_is_for_one_organization',
          'An access token belongs to one organization and cannot create another. Sign in with a password.',
        );
      }
      return { ...(await organizations.create(name, principal.userId)), role: 'admin' };
    },

    async get(actor: Actor): Promise<Membership> {
      const found = await organizations.findForMember(actor.organizationId, actor.userId);
      return membershipOrThrow(found?.organization, actor.role);
    },

    /** An admin who requires a second factor must have one, so that nobody locks themselves out. */
    async update(actor: Actor, principal: Principal, change: OrganizationChange): Promise<Membership> {
      requireAdmin(actor);
      if (change.require_second_factor === true && principal.secondFactor !== true) {
        throw new DomainError(
          'conflict',
          'own_second_factor_first',
          'Turn on a second factor for your own account first, and sign in with it.',
        );
      }
      const seen = withoutAdded(change.seen, 'role');
      const changed = await organizations.update(actor.organizationId, { ...change, seen }, actor.userId);
      return membershipOrThrow(changed, actor.role);
    },
  };
}

/** The membership might have ended since it was checked. */
function membershipOrThrow(organization: Organization | undefined, role: Role): Membership {
  if (organization === undefined) {
    throw new DomainError('not_found', 'not_found', 'This does not exist, or you have no access to it.');
  }
  return { ...organization, role };
}
