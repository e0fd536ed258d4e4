import { DomainError, type Role } from '@docwright/contract';
import { lesserRole } from '../identity/actor.ts';
import type { ApprovalRepository, WaitingCall } from './approval-repository.ts';
import type { CarryOut } from './carry-out-decisions.ts';
import type { LeftCallRepository } from './left-call-repository.ts';

export interface RecoverDecisionsDependencies {
  left: LeftCallRepository;
  callsOf: (organizationId: string) => Pick<ApprovalRepository, 'reopen'>;
  carryOut: CarryOut;
  /** The role a user has now; undefined for one who no longer belongs to the organization. */
  roleOf: (organizationId: string, userId: string) => Promise<Role | undefined>;
  log: { error(fields: object, message: string): void };
}

/** A decision is carried out at once; one that is older was left by a process that died. */
const leftAfterMs = 15_000;

/**
 * Goes on where a process died after the last call of a batch was decided and before its turn was, with the rights that
 * the approver still has; without any, the calls wait again. Also removes calls of turns that wait no longer.
 */
export function createRecoverDecisions({
  left,
  callsOf,
  carryOut,
  roleOf,
  log,
}: RecoverDecisionsDependencies): (afterMs?: number) => Promise<void> {
  async function recover(batch: WaitingCall[]): Promise<void> {
    const last = batch.toSorted((one, other) => Number(one.decided_at) - Number(other.decided_at)).at(-1);
    if (!last?.decision) return;
    const organizationId = last.organization_id.toHexString();
    const { by: userId, role: atMost } = last.decision;
    const role = await roleOf(organizationId, userId);
    try {
      if (role === undefined || role === 'viewer') throw noRight;
      await carryOut({ organizationId, userId, role: lesserRole(role, atMost) }, batch);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === 'already_decided' || error.code === 'turn_not_waiting') return;
      for (const { call_id, decision } of batch) {
        if (decision?.by === userId) await callsOf(organizationId).reopen(call_id, decision);
      }
    }
  }

  return async (afterMs = leftAfterMs) => {
    const before = new Date(Date.now() - afterMs);
    for (const batch of await left.decidedBatches(before)) {
      await recover(batch).catch((error: unknown) =>
        log.error({ err: error, turn_id: batch[0]?.turn_id }, 'a decision could not be carried out'),
      );
    }
    await left.removeOrphans(before);
  };
}

const noRight = new DomainError('forbidden', 'viewer_cannot_write', 'The approver can no longer decide this call.');
