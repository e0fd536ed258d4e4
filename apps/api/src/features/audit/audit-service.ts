import type { AuditEntry, AuditQuery } from '@docwright/contract';
import type { PageEnd } from '../../platform/database/page.ts';
import type { Actor } from '../identity/index.ts';
import type { AuditRepository } from './audit-repository.ts';

/** The audit log that a user can read: an admin reads all of it, others the entries of their own calls. */
export type AuditService = ReturnType<ReturnType<typeof createAuditService>>;

export function createAuditService(auditOf: (organizationId: string) => AuditRepository) {
  return ({ organizationId, userId, role }: Actor) => ({
    async list({
      actor = role === 'admin' ? undefined : userId,
      document_id,
      turn_id,
      origin,
      tool,
      ...page
    }: AuditQuery): Promise<PageEnd & { entries: AuditEntry[]; skip: number; limit: number }> {
      const { skip, limit } = page;
      if (role !== 'admin' && actor !== userId) return { entries: [], total_count: 0, skip, limit };
      const found = await auditOf(organizationId).list({ actor, document_id, turn_id, origin, tool }, page);
      return { ...found, skip, limit };
    },
    /** The names to filter by, in order: what the entries have. */
    async tools(): Promise<string[]> {
      return (await auditOf(organizationId).tools(role === 'admin' ? undefined : userId)).toSorted();
    },
  });
}
