import type { Connection } from 'mongoose';
import { createAuditRepositories } from './audit-repository.ts';
import { createAuditService } from './audit-service.ts';
import { createAuditWrites } from './declared-writes.ts';
import { createTurnAudit } from './turn-audit.ts';

export type AuditServices = ReturnType<typeof createAuditServices>;

export function createAuditServices(connection: Connection) {
  const auditOf = createAuditRepositories(connection);
  return {
    auditOf,
    audit: createAuditService(auditOf),
    auditWrites: createAuditWrites(auditOf),
    recordCallsOf: createTurnAudit(auditOf),
    /** For unattended turns. */
    recordHeadlessCallsOf: createTurnAudit(auditOf, { headless: true }),
  };
}
