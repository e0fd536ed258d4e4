import type { CallRecord, RecordCalls, TurnOwner } from '@docwright/agent-core';
import type { AuditLog, AuditRecord } from './audit-log.ts';

/** Writes what becomes of the calls of a turn into the audit log, in the name of the turn's person. */
export function createTurnAudit(
  auditOf: (organizationId: string) => AuditLog,
  mark: Pick<AuditRecord, 'headless'> = {},
): (owner: TurnOwner, turn: { turnId: string; threadId: string }) => RecordCalls {
  return ({ organizationId, documentId, userId }, { turnId, threadId }) => {
    const place = { actor: userId, documentId, threadId, turnId, ...mark };
    return (records: readonly CallRecord[]) =>
      auditOf(organizationId).record(records.map((record) => ({ ...record, ...place })));
  };
}
