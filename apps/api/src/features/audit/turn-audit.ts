import type { CallRecord, RecordCalls, TurnOwner } from '@docwright/agent-core';
import type { AuditLog, AuditRecord } from './audit-log.ts';

/** Of a turn: where what becomes of its calls is written down, and by which way they came. */
export type RecordCallsOf = (
  owner: TurnOwner,
  turn: { turnId: string; threadId: string } & Pick<AuditRecord, 'via' | 'origin' | 'headless' | 'token'>,
) => RecordCalls;

/** Writes what becomes of the calls of a turn into the audit log, in the name of the turn's person. */
export function createTurnAudit(
  auditOf: (organizationId: string) => AuditLog,
  mark: Pick<AuditRecord, 'headless'> = {},
): RecordCallsOf {
  return ({ organizationId, documentId, userId }, turn) => {
    const place = { actor: userId, documentId, ...turn, ...mark };
    return (records: readonly CallRecord[]) =>
      auditOf(organizationId).record(records.map((record) => ({ ...record, ...place })));
  };
}
