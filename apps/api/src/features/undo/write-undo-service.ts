import { DomainError, type AuditEntry, type AuditUndoAnswer, type UndoBody } from '@docwright/contract';
import { undoOfferedMs } from '../../turn-writes/turn-write-model.ts';
import type { TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import { type AuditRepository, uploadTool } from '../audit/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import { emptyWorkingState } from '../threads/index.ts';
import type { RequireUnverified } from './verified-documents-repository.ts';
import type { TurnUndoRepository } from './turn-undo-repository.ts';
import { carryOut, planOrResume, type UndoableRecordsOf, type UndoContext, type UndoPlan } from './undo-plan.ts';

export interface WriteUndoDependencies {
  writesOf: (organizationId: string) => TurnWriteRepository;
  undosOf: (organizationId: string) => TurnUndoRepository;
  auditOf: (organizationId: string) => Pick<AuditRepository, 'get' | 'record'>;
  recordsOf: UndoableRecordsOf;
}

export interface UndoWriteDependencies extends WriteUndoDependencies {
  requireUnverified: RequireUnverified;
  /** Moves a document to the trash. Throws `document_not_found` if it is deleted already. */
  trash: (actor: Actor, documentId: string) => Promise<void>;
  /** By tool: the undo of decisions that consist of more than one write. */
  handlers: ReadonlyMap<string, UndoHandler>;
}

/** Undoes the decision of an audit entry. Idempotent. */
export type UndoHandler = (actor: Actor, entry: AuditEntry) => Promise<void>;

/**
 * Undoes one write outside of a conversation, by its audit entry. Throws `audit_entry_not_found` for another user's entry
 * (admins have access to all), `not_undoable`, `undo_expired`, `changed_since`. Repeated, it returns the same answer.
 */
export type UndoWrite = (actor: Actor, entryId: string, body?: UndoBody) => Promise<AuditUndoAnswer>;

export function createUndoWrite(dependencies: UndoWriteDependencies): UndoWrite {
  const { recordsOf } = dependencies;

  async function startUndo(context: UndoContext, undos: TurnUndoRepository, entry: AuditEntry): Promise<UndoPlan> {
    const plan = await planOrResume(undos, undoIdOf(entry), context, [entry.call_id]);
    if (plan.steps.length === 0) throw notUndoable(entry.tool === 'release_result' ? releaseCure : removed);
    return await undos.start(undoIdOf(entry), entry.document_id, plan);
  }

  /** Moves the document to the trash, unless it is there already. */
  async function undoUpload(actor: Actor, { document_id }: AuditEntry): Promise<void> {
    if (document_id === undefined) return;
    await dependencies.trash(actor, document_id).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.kind !== 'not_found') throw error;
    });
  }

  async function recordUndone(
    { organizationId, userId }: Actor,
    { call_id: callId, tool, document_id: documentId, arguments: args }: AuditEntry,
  ): Promise<void> {
    const place = { actor: userId, ...(documentId !== undefined && { documentId }), origin: { kind: 'api' as const } };
    const entry = { ...place, kind: 'undone' as const, callId, tool, arguments: args, success: true };
    await dependencies.auditOf(organizationId).record([entry]);
  }

  return async (actor, entryId, body) => {
    requireWriter(actor);
    const { organizationId, userId } = actor;
    const entry = await dependencies.auditOf(organizationId).get(entryId);
    if (!entry || (entry.actor !== userId && actor.role !== 'admin')) throw entryNotFound();
    const handler = isDecided(entry) ? dependencies.handlers.get(entry.tool) : undefined;
    const isNotedAlone = async () => (await dependencies.writesOf(organizationId).ofTurns([entry.call_id])).length > 0;
    if (!handler) requireUndoable(entry, entry.turn_id !== undefined && !(await isNotedAlone()));
    if (handler || entry.tool === uploadTool) {
      requireOffered(entry);
      if (!handler && body?.including_verified !== true) {
        await dependencies.requireUnverified(organizationId, { callIds: [], uploadedId: entry.document_id });
      }
      await (handler ?? undoUpload)(actor, entry);
      await recordUndone(actor, entry);
      return { undone: [{ call_id: entry.call_id, tool: entry.tool }] };
    }
    const undos = dependencies.undosOf(organizationId);
    const undoId = undoIdOf(entry);
    const stored = await undos.get(undoId);
    if (stored?.answer) return { undone: stored.answer.undone };
    if (!stored) requireOffered(entry);
    if (!stored && body?.including_verified !== true) {
      await dependencies.requireUnverified(organizationId, { callIds: [entry.call_id] });
    }
    const context = { organizationId, userId, writes: dependencies.writesOf(organizationId), recordsOf };
    const plan = stored?.plan ?? (await startUndo(context, undos, entry));
    await carryOut(context, plan).catch(async (error: unknown) => {
      // Nothing was undone: the next attempt makes a new plan.
      if (error instanceof DomainError) await undos.drop(undoId);
      throw error;
    });
    await recordUndone(actor, entry);
    const { undone } = await undos.finish(undoId, plan, { undone: plan.undone, working_state: emptyWorkingState });
    return { undone };
  };
}

/**
 * An extraction of a run has the id of its document's run, so that it is undone once, by itself or with the run. Other
 * writes have the id of their audit entry.
 */
function undoIdOf({ id, call_id, origin, tool }: AuditEntry): string {
  const isOfRun = origin?.kind === 'run' || origin?.kind === 'schedule';
  return isOfRun || (origin?.kind === 'arrival' && tool === 'run_extraction') ? call_id : id;
}

/** Whether the entry is a decision that took effect. */
function isDecided({ kind, success, decision }: AuditEntry): boolean {
  return kind === 'executed'
    ? success === true
    : kind === 'decided' && (decision === 'approved' || decision === 'rejected');
}

/** A turn is undone as a whole, but for writes that were noted by themselves, as those of tasks. */
function requireUndoable(entry: AuditEntry, isPartOfTurn: boolean): void {
  if (entry.kind !== 'executed' || entry.success !== true) throw notUndoable('It is not a successful write.');
  if (isPartOfTurn) throw notUndoable('It belongs to a turn: undo the turn, or its run.');
}

function requireOffered({ at }: AuditEntry): void {
  if (Date.parse(at) + undoOfferedMs > Date.now()) return;
  throw new DomainError(
    'gone',
    'undo_expired',
    'A write can be undone within 30 days, and this one is older. Change what it wrote by hand.',
  );
}

export const releaseCure = 'Withdraw the verification of the result: that withdraws its release.';
const removed = 'The record was removed, or does not show this write any more.';

export function notUndoable(why: string, what: 'entry' | 'turn' = 'entry'): DomainError {
  return new DomainError('conflict', 'not_undoable', `This ${what} cannot be undone by itself. ${why}`);
}

function entryNotFound(): DomainError {
  return new DomainError('not_found', 'audit_entry_not_found', 'There is no such entry in the audit log.');
}
