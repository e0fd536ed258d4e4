import { DomainError, type UndoAnswer } from '@docwright/contract';
import type { AuditLog } from '../audit/index.ts';
import { isWaiting, type StoredTurn } from '../turns/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import { type ThreadOwner, type ThreadRepository, emptyWorkingState, ownerOf } from '../threads/index.ts';
import type { TurnUndoRepository } from './turn-undo-repository.ts';
import { undoOfferedMs } from '../../turn-writes/turn-write-model.ts';
import type { TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import { carryOut, planUndo, type UndoableRecordsOf, type UndoContext, type UndoPlan } from './undo-plan.ts';
import type { WorkingStateAfter } from './working-state-after.ts';

interface UndoServiceDependencies {
  /** The turn of its person, whether or not its document is there; throws `turn_not_found`. */
  turnOf: (owner: ThreadOwner, turnId: string) => Promise<StoredTurn>;
  /** An orphaned turn cannot be resumed once it is undone. */
  giveUp: (owner: ThreadOwner, turnId: string) => Promise<void>;
  threadsOf: (owner: ThreadOwner) => ThreadRepository;
  writesOf: (organizationId: string) => TurnWriteRepository;
  undosOf: (organizationId: string) => TurnUndoRepository;
  auditOf: (organizationId: string) => AuditLog;
  recordsOf: UndoableRecordsOf;
  workingStateAfter: WorkingStateAfter;
}

/** Takes back what a turn wrote. */
export interface UndoService {
  /**
   * All or nothing: throws `changed_since` with what others changed meanwhile, `turn_not_ended` while it runs or waits,
   * `turn_not_found` for anybody but its person. Undone again, it gives the same answer.
   */
  undo(actor: Actor, documentId: string, turnId: string): Promise<UndoAnswer>;
}

export function createUndoService(dependencies: UndoServiceDependencies): UndoService {
  const { recordsOf, threadsOf } = dependencies;

  async function begin(undos: TurnUndoRepository, owner: ThreadOwner, turn: StoredTurn, context: UndoContext) {
    const plan = await planUndo(context, [turn.id]).catch(async (error: unknown) => {
      // What another try has begun to take back looks changed.
      const begun = await undos.get(turn.id);
      if (begun) return begun.plan;
      throw error;
    });
    await dependencies.giveUp(owner, turn.id);
    // Somebody may have taken it up right before.
    requireEnded(await dependencies.turnOf(owner, turn.id));
    return await undos.begin(turn.id, owner.documentId, plan);
  }

  return {
    async undo(actor, documentId, turnId) {
      requireWriter(actor);
      const owner = ownerOf(actor, documentId);
      const turn = await dependencies.turnOf(owner, turnId);
      const undos = dependencies.undosOf(actor.organizationId);
      const stored = await undos.get(turn.id);
      if (stored?.answer) return stored.answer;
      requireEnded(turn);
      if (!stored) requireOffered(turn);
      const { organizationId, userId } = actor;
      const context = { organizationId, userId, writes: dependencies.writesOf(organizationId), recordsOf };
      const plan = stored?.plan ?? (await begin(undos, owner, turn, context));
      await carryOut(context, plan).catch(async (error: unknown) => {
        // Nothing is undone: the next try looks at everything anew.
        if (error instanceof DomainError) await undos.drop(turn.id);
        throw error;
      });
      await dependencies.auditOf(organizationId).record(auditEntries(owner, turn, plan));
      const threads = threadsOf(owner);
      const { working_state } = (await threads.get(turn.threadId)) ?? { working_state: emptyWorkingState };
      const answer = {
        undone: plan.undone,
        working_state: await dependencies.workingStateAfter(actor, working_state, plan),
      };
      await threads.setState(turn.threadId, { working_state: answer.working_state });
      return await undos.finish(turn.id, plan, answer);
    },
  };
}

function auditEntries(owner: ThreadOwner, turn: StoredTurn, { undone }: UndoPlan) {
  const calls = (turn.answer?.executed_rounds ?? []).flatMap((round) => round.tool_calls);
  const place = { actor: owner.userId, documentId: owner.documentId, threadId: turn.threadId, turnId: turn.id };
  return undone.map(({ call_id, tool }) => ({
    ...place,
    kind: 'undone' as const,
    callId: call_id,
    tool,
    arguments: calls.find(({ id }) => id === call_id)?.arguments ?? '{}',
    success: true,
  }));
}

/** Each of its writes is known at least as long. */
function requireOffered({ createdAt }: StoredTurn): void {
  if (createdAt.getTime() + undoOfferedMs > Date.now()) return;
  throw new DomainError(
    'gone',
    'undo_expired',
    'A turn can be undone within 30 days, and this one is older. Change what it wrote by hand, or ask the agent to.',
  );
}

function requireEnded(turn: StoredTurn): void {
  const isRunning = turn.status === 'running';
  if (!isRunning && !isWaiting(turn)) return;
  const cure = isRunning ? 'Stop it or wait until it ends.' : 'Decide or stop it first.';
  throw new DomainError('conflict', 'turn_not_ended', `A turn can be undone once it has ended. ${cure}`);
}
