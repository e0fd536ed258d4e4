import type { Connection } from 'mongoose';
import { createStorageLimit } from '../../platform/database/stored-bytes/storage-limit.ts';
import { storedBytesOf } from '../../platform/database/stored-bytes/stored-bytes.ts';
import { createUnrecordedWrites } from '../../turn-writes/unrecorded-write-repository.ts';
import { createAuditRepositories } from './audit-repository.ts';
import { createAuditService } from './audit-service.ts';
import { createAuditWrites } from './declared-writes.ts';
import { createTurnAudit } from './turn-audit.ts';

export type AuditServices = ReturnType<typeof createAuditServices>;

export function createAuditServices(connection: Connection, maxStorageBytes: number | undefined) {
  const auditOf = createAuditRepositories(connection);
  const storageLimit = createStorageLimit(storedBytesOf(connection), maxStorageBytes);
  return {
    auditOf,
    audit: createAuditService(auditOf),
    auditWrites: createAuditWrites(auditOf, storageLimit, createUnrecordedWrites(connection)),
    /** What an organization can store. */
    storageLimit,
    recordCallsOf: createTurnAudit(auditOf),
    /** For unattended turns. */
    recordHeadlessCallsOf: createTurnAudit(auditOf, { headless: true }),
  };
}
