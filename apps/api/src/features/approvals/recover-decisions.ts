import { isTraced, traceEnded } from '@docwright/agent-core';
import { DomainError, type Role } from '@docwright/contract';
import { lesserRole } from '../identity/index.ts';
import type { ThreadOwner } from '../threads/index.ts';
import type { PendingCallRecord } from '../turns/index.ts';
import type { ApprovalRepository } from './approval-repository.ts';
import type { CarryOut } from './carry-out-decisions.ts';
import type { OrphanedCallRepository } from './orphaned-call-repository.ts';

interface RecoverDecisionsDependencies {
  orphaned: OrphanedCallRepository;
  callsOf: (organizationId: string) => Pick<ApprovalRepository, 'reopen'>;
  carryOut: CarryOut;
  /** Ends a turn that waits for a decision which nobody can make. */
  withdraw: (owner: ThreadOwner, turnId: string) => Promise<void>;
  /** The role a user has now; undefined for one who no longer belongs to the organization. */
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
  log: { error(fields: object, message: string): void };
}

/** Decisions are executed at once: the process of an older one has died. */
const orphanedAfterMs = 15_000;

/**
 * Resumes turns whose process died after the last call of a batch was decided, with the approver's current rights. If
 * the approver has none, the calls become pending again. Also removes calls of turns that are no longer pending, and ends turns about documents in the trash.
 */
export function createRecoverDecisions({
  orphaned,
  callsOf,
  carryOut,
  withdraw,
  roleOf,
  log,
}: RecoverDecisionsDependencies): (afterMs?: number) => Promise<void> {
  async function recover(batch: PendingCallRecord[]): Promise<void> {
    const last = batch.toSorted((a, b) => Number(a.decided_at) - Number(b.decided_at)).at(-1);
    if (!last?.decision) return;
    const organizationId = last.organization_id.toHexString();
    const { by: userId, role: roleAtDecision } = last.decision;
    const role = await roleOf(organizationId, userId);
    try {
      if (role === undefined || role === 'viewer') throw noRight;
      await carryOut({ organizationId, userId, role: lesserRole(role, roleAtDecision) }, batch);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === 'already_decided' || error.code === 'turn_not_waiting') return;
      for (const { call_id, decision } of batch) {
        if (decision?.by === userId) await callsOf(organizationId).reopen(call_id, decision);
      }
    }
  }

  return async (afterMs = orphanedAfterMs) => {
    const before = new Date(Date.now() - afterMs);
    for await (const batch of orphaned.decidedBatches(before)) {
      await recover(batch).catch((error: unknown) =>
        log.error({ err: error, turn_id: batch[0]?.turn_id }, 'a decision could not be carried out'),
      );
    }
    if (isTraced()) {
      for (const { startTime, endTime } of await orphaned.takeExpiredWaits(new Date())) {
        traceEnded({ name: 'approval.wait', startTime, attributes: { 'docwright.outcome': 'expired' } }, endTime);
      }
    }
    for await (const { owner, turnId } of orphaned.inTrash()) {
      await withdraw(owner, turnId).catch((error: unknown) =>
        log.error({ err: error, turn_id: turnId }, 'a turn about a document in the trash was not ended'),
      );
    }
    await orphaned.removeOrphans(before);
  };
}

const noRight = new DomainError('forbidden', 'viewer_cannot_write', 'The approver can no longer decide this call.');
