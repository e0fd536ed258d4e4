import type { AuditEntry, AuditQuery } from '@docwright/contract';
import type { PageEnd } from '../../platform/database/page.ts';
import type { Actor } from '../identity/index.ts';
import type { AuditRepository } from './audit-repository.ts';

/** The audit log that a user can read: an admin reads all of it, others the entries of their own calls. */
export interface AuditService {
  list(query: AuditQuery): Promise<PageEnd & { entries: AuditEntry[]; skip: number; limit: number }>;
  /** The names to filter by, in order: what the entries have. */
  tools(): Promise<string[]>;
}

export function createAuditService(
  auditOf: (organizationId: string) => AuditRepository,
): (actor: Actor) => AuditService {
  return ({ organizationId, userId, role }) => ({
    async list({
      skip,
      limit,
      cursor,
      exact_count,
      actor = role === 'admin' ? undefined : userId,
      document_id,
      turn_id,
      origin,
      tool,
    }) {
      if (role !== 'admin' && actor !== userId) return { entries: [], total_count: 0, skip, limit };
      const found = await auditOf(organizationId).list(
        { actor, document_id, turn_id, origin, tool },
        { skip, limit, cursor, exact_count },
      );
      return { ...found, skip, limit };
    },
    async tools() {
      return (await auditOf(organizationId).tools(role === 'admin' ? undefined : userId)).toSorted();
    },
  });
}
