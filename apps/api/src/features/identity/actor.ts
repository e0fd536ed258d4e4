import type { Role, TokenScope } from '@docwright/contract';
import { DomainError } from '@docwright/contract';

/** Who does something, in which organization, with which rights. */
export interface Actor {
  organizationId: string;
  userId: string;
  role: Role;
  /** The access token it is done with, for the audit log. */
  token?: { id: string; name: string };
}

/** Who is signed in, before any organization is chosen. */
export interface Principal {
  userId: string;
  /** Set for an API token: the one organization it may reach, and the most it may do there. */
  token?: { id: string; name: string; organizationId: string; role: Role; scopes: readonly TokenScope[] };
  /** Set for a person: the session behind the JWT. */
  sessionId?: string;
  /** Whether a second factor was shown at the sign-in. */
  secondFactor?: boolean;
}

/** Every service that writes calls this first, so that HTTP and tools share the rule. */
export function requireWriter(actor: Actor): void {
  if (actor.role === 'viewer') {
    throw new DomainError(
      'forbidden',
      'viewer_cannot_write',
      'Viewers may read only. Ask an admin of the organization for the role member.',
    );
  }
}

export function requireAdmin(actor: Actor): void {
  if (actor.role !== 'admin') {
    throw new DomainError('forbidden', 'admin_required', 'Only an admin of the organization may do this.');
  }
}

/** For what belongs to a person and not to a program of theirs. */
export function requireSession(principal: Principal): string {
  if (principal.sessionId === undefined) {
    throw new DomainError(
      'forbidden',
      'session_needed',
      'An access token cannot do this. Sign in with your password instead.',
    );
  }
  return principal.sessionId;
}

const rank: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };

/** The lesser of two roles. */
export function lesserRole(one: Role, other: Role): Role {
  return rank[one] <= rank[other] ? one : other;
}
