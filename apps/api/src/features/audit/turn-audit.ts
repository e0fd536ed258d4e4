import type { CallRecord, RecordCalls, TurnOwner } from '@docwright/agent-core';
import type { AuditLog, AuditRecord } from './audit-log.ts';

/** Creates the recorder of a turn's calls, which knows their channel. */
export type RecordCallsOf = (
  owner: TurnOwner,
  turn: { turnId: string; threadId: string } & Pick<AuditRecord, 'via' | 'origin' | 'headless' | 'token'>,
) => RecordCalls;

/** Records the steps of a turn's calls in the audit log, on behalf of the turn's user. */
export function createTurnAudit(
  auditOf: (organizationId: string) => AuditLog,
  fields: Pick<AuditRecord, 'headless'> = {},
): RecordCallsOf {
  return ({ organizationId, documentId, userId }, turn) => {
    const place = { actor: userId, documentId, ...turn, ...fields };
    return (records: readonly CallRecord[]) =>
      auditOf(organizationId).record(records.map((record) => ({ ...record, ...place })));
  };
}
