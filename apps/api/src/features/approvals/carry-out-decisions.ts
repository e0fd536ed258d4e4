import type { ApprovalService } from '../chat/index.ts';
import type { Actor } from '../identity/index.ts';
import type { PendingCallRecord } from '../turns/index.ts';

/** Resumes a turn once all calls of its batch are decided. `approver` is the user of the last decision. */
export type CarryOut = (approver: Actor, batch: readonly PendingCallRecord[]) => Promise<void>;

export function createCarryOut(
  approvals: ApprovalService,
  log: { error(fields: object, message: string): void },
): CarryOut {
  return async (approver, batch) => {
    const [first] = batch;
    if (first === undefined || batch.some(({ decision }) => decision === null)) return;
    const turn_id = first.turn_id.toHexString();
    const decided = batch.flatMap(({ call_id, decision }) => {
      if (decision === null) return [];
      const { approved, reason, arguments: args, steps, evaluation_id } = decision;
      return [
        {
          call_id,
          approved,
          ...(reason !== undefined && { reason }),
          ...(args !== undefined && { arguments: args }),
          ...(steps !== undefined && { steps }),
          ...(evaluation_id !== undefined && { evaluation_id }),
        },
      ];
    });
    const body = {
      turn_id,
      approvals: decided.toSorted((a, b) => (a.call_id < b.call_id ? -1 : 1)),
      stream: false,
    };
    const documentId = first.document_id.toHexString();
    if (first.is_unattended) {
      const owner = { organizationId: approver.organizationId, documentId, userId: first.user_id.toHexString() };
      await approvals.decideFor(approver, owner, body);
      return;
    }
    const run = await approvals.approve(approver, documentId, body);
    run.answer.catch((error: unknown) => log.error({ err: error, turn_id }, 'a decided turn was interrupted'));
  };
}
