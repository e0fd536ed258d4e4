import { DomainError, type UndoAnswer, type UndoBody } from '@docwright/contract';
import type { AuditLog } from '../audit/index.ts';
import { isPending, type StoredTurn } from '../turns/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import { type ThreadOwner, type ThreadRepository, emptyWorkingState, ownerOf } from '../threads/index.ts';
import type { TurnUndoRepository } from './turn-undo-repository.ts';
import { undoOfferedMs } from '../../turn-writes/turn-write-model.ts';
import type { TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import { carryOut, planOrResume, type UndoableRecordsOf, type UndoContext, type UndoPlan } from './undo-plan.ts';
import type { RequireUnverified } from './verified-documents-repository.ts';
import { notUndoable, releaseCure } from './write-undo-service.ts';
import type { WorkingStateAfter } from './working-state-after.ts';

interface UndoServiceDependencies {
  /** The turn of its owner, also if its document was deleted. Throws `turn_not_found`. */
  turnOf: (owner: ThreadOwner, turnId: string) => Promise<StoredTurn>;
  /** Prevents that an orphaned turn is resumed after its undo. */
  discardPending: (owner: ThreadOwner, turnId: string) => Promise<void>;
  threadsOf: (owner: ThreadOwner) => ThreadRepository;
  writesOf: (organizationId: string) => TurnWriteRepository;
  undosOf: (organizationId: string) => TurnUndoRepository;
  auditOf: (organizationId: string) => AuditLog;
  recordsOf: UndoableRecordsOf;
  workingStateAfter: WorkingStateAfter;
  requireUnverified: RequireUnverified;
}

export type UndoService = ReturnType<typeof createUndoService>;

export function createUndoService(dependencies: UndoServiceDependencies) {
  const { recordsOf, threadsOf } = dependencies;

  async function startUndo(undos: TurnUndoRepository, owner: ThreadOwner, turn: StoredTurn, context: UndoContext) {
    const plan = await planOrResume(undos, turn.id, context, [turn.id]);
    if (plan.undone.length === 0 && hasReleased(turn)) throw notUndoable(releaseCure, 'turn');
    await dependencies.discardPending(owner, turn.id);
    // Another process might have resumed the turn right before.
    requireEnded(await dependencies.turnOf(owner, turn.id));
    return await undos.start(turn.id, owner.documentId, plan);
  }

  return {
    /**
     * Undoes the writes of a turn, all or nothing. Throws `changed_since` with the records that others changed,
     * `turn_not_ended` while it runs or is pending, `not_undoable` if it has only released, `turn_not_found` for everyone but its owner, `undo_expired`. Repeated,
     * it returns the same answer.
     */
    async undo(actor: Actor, documentId: string, turnId: string, body?: UndoBody): Promise<UndoAnswer> {
      requireWriter(actor);
      const owner = ownerOf(actor, documentId);
      const turn = await dependencies.turnOf(owner, turnId);
      const undos = dependencies.undosOf(actor.organizationId);
      const stored = await undos.get(turn.id);
      if (stored?.answer) return stored.answer;
      requireEnded(turn);
      if (!stored) requireOffered(turn);
      const { organizationId, userId } = actor;
      if (!stored && body?.including_verified !== true) {
        const writes = await dependencies.writesOf(organizationId).ofTurns([turn.id]);
        await dependencies.requireUnverified(organizationId, { callIds: writes.map(({ callId }) => callId) });
      }
      const context = { organizationId, userId, writes: dependencies.writesOf(organizationId), recordsOf };
      const plan = stored?.plan ?? (await startUndo(undos, owner, turn, context));
      await carryOut(context, plan).catch(async (error: unknown) => {
        // Nothing was undone: the next attempt makes a new plan.
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

function hasReleased({ answer }: StoredTurn): boolean {
  const calls = (answer?.executed_rounds ?? []).flatMap((round) => round.tool_calls);
  return calls.some(({ name, success }) => name === 'release_result' && success);
}

/** The notes of the turn's writes are stored at least as long. */
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
  if (!isRunning && !isPending(turn)) return;
  const cure = isRunning ? 'Stop it or wait until it ends.' : 'Decide on its calls or stop it first.';
  throw new DomainError('conflict', 'turn_not_ended', `A turn can be undone after it has ended. ${cure}`);
}
