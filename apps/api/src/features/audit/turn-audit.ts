import type { CallRecord, RecordCalls, TurnOwner } from '@docwright/agent-core';
import type { AuditLog, AuditRecord } from './audit-log.ts';

/** The audit log of a turn's calls, with the channel that they came by. */
export type RecordCallsOf = (
  owner: TurnOwner,
  turn: { turnId: string; threadId: string } & Pick<AuditRecord, 'via' | 'origin' | 'headless' | 'token'>,
) => RecordCalls;

/** Records the outcomes of a turn's calls in the audit log, in the name of the turn's user. */
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
