import type { Role, TokenScope, WriteOriginInfo } from '@docwright/contract';
import { DomainError } from '@docwright/contract';

/** A user acting in an organization, with their rights. */
export interface Actor {
  organizationId: string;
  userId: string;
  role: Role;
  /** The access token used, for the audit log. */
  token?: { id: string; name: string };
  /** The channel of its writes in the audit log; by default the API. */
  source?: WriteOriginInfo;
}

/**
 * The organization itself, for work on documents that arrive: it belongs to no person, who may leave. It has a member's
 * rights, and nobody can sign in as it. With a source, its writes name it.
 */
export const arrivalActor = (organizationId: string, source_id?: string): Actor => ({
  organizationId,
  userId: organizationId,
  role: 'member',
  ...(source_id !== undefined && { source: { kind: 'arrival', source_id } }),
});

/** The signed-in caller, before an organization is chosen. */
export interface Principal {
  userId: string;
  /** Set for an access token: its only organization, and its maximum rights. */
  token?: { id: string; name: string; organizationId: string; role: Role; scopes: readonly TokenScope[] };
  /** Set for a signed-in user: the session behind the JWT. */
  sessionId?: string;
  /** Whether the sign-in used a second factor. */
  secondFactor?: boolean;
}

/** Every writing service calls this first, so that HTTP and tools share the rule. */
export function requireWriter(actor: Actor): void {
  if (actor.role === 'viewer') {
    throw new DomainError(
      'forbidden',
      'viewer_cannot_write',
      'Viewers can only read. Ask an admin of the organization for the role member.',
    );
  }
}

export function requireAdmin(actor: Actor): void {
  if (actor.role !== 'admin') {
    throw new DomainError('forbidden', 'admin_required', 'Only an admin of the organization can do this.');
  }
}

/** For actions that belong to a user and not to their programs. */
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
