import { DomainError, type AuditEntry, type AuditUndoAnswer } from '@docwright/contract';
import { undoOfferedMs } from '../../turn-writes/turn-write-model.ts';
import type { TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import { type AuditRepository, uploadTool } from '../audit/index.ts';
import { requireWriter, type Actor } from '../identity/index.ts';
import type { TurnUndoRepository } from './turn-undo-repository.ts';
import { carryOut, planUndo, type UndoableRecordsOf, type UndoContext, type UndoPlan } from './undo-plan.ts';

export interface WriteUndoDependencies {
  writesOf: (organizationId: string) => TurnWriteRepository;
  undosOf: (organizationId: string) => TurnUndoRepository;
  auditOf: (organizationId: string) => Pick<AuditRepository, 'get' | 'record'>;
  recordsOf: UndoableRecordsOf;
}

export interface UndoWriteDependencies extends WriteUndoDependencies {
  /** Moves a document to the trash; throws `document_not_found` where it is not in the list. */
  trash: (actor: Actor, documentId: string) => Promise<void>;
  /** By tool: how decisions are undone that are no single write. */
  handlers: ReadonlyMap<string, UndoHandler>;
}

/** Undoes what an entry of the audit log decided. Done again, it changes nothing. */
export type UndoHandler = (actor: Actor, entry: AuditEntry) => Promise<void>;

/**
 * Takes back one write outside of a conversation, by its entry in the audit log. Throws `audit_entry_not_found` for
 * somebody else's entry (an admin sees all), `not_undoable`, `undo_expired`, `changed_since`. Undone again, it gives the
 * same answer.
 */
export type UndoWrite = (actor: Actor, entryId: string) => Promise<AuditUndoAnswer>;

export function createUndoWrite(dependencies: UndoWriteDependencies): UndoWrite {
  const { recordsOf } = dependencies;

  async function planOf(context: UndoContext, undos: TurnUndoRepository, entry: AuditEntry): Promise<UndoPlan> {
    const plan = await planUndo(context, [entry.call_id]).catch(async (error: unknown) => {
      // What another try has begun to take back looks changed.
      const begun = await undos.get(keyOf(entry));
      if (begun) return begun.plan;
      throw error;
    });
    if (plan.steps.length === 0)
      throw notUndoable('What it wrote is gone, or can no longer be told from what was there.');
    return await undos.begin(keyOf(entry), entry.document_id, plan);
  }

  /** What was uploaded goes to the trash; where it is there already, nothing is left to do. */
  async function undoUpload(actor: Actor, { call_id: callId, tool, document_id, arguments: args }: AuditEntry) {
    if (document_id !== undefined) {
      await dependencies.trash(actor, document_id).catch((error: unknown) => {
        if (!(error instanceof DomainError) || error.kind !== 'not_found') throw error;
      });
    }
    const entry = { kind: 'undone' as const, actor: actor.userId, callId, tool, arguments: args, success: true };
    const place = document_id === undefined ? {} : { documentId: document_id };
    await dependencies.auditOf(actor.organizationId).record([{ ...entry, ...place, origin: { kind: 'api' as const } }]);
    return { undone: [{ call_id: callId, tool }] };
  }

  async function undoDecision(actor: Actor, entry: AuditEntry, handler: UndoHandler): Promise<AuditUndoAnswer> {
    await handler(actor, entry);
    const { call_id: callId, tool, document_id, arguments: args } = entry;
    const undone = { kind: 'undone' as const, actor: actor.userId, callId, tool, arguments: args, success: true };
    const place = document_id === undefined ? {} : { documentId: document_id };
    await dependencies
      .auditOf(actor.organizationId)
      .record([{ ...undone, ...place, origin: { kind: 'api' as const } }]);
    return { undone: [{ call_id: callId, tool }] };
  }

  return async (actor, entryId) => {
    requireWriter(actor);
    const { organizationId, userId } = actor;
    const audit = dependencies.auditOf(organizationId);
    const entry = await audit.get(entryId);
    if (!entry || (entry.actor !== userId && actor.role !== 'admin')) throw entryNotFound();
    const handler = isDecided(entry) ? dependencies.handlers.get(entry.tool) : undefined;
    if (handler) {
      requireOffered(entry);
      return await undoDecision(actor, entry, handler);
    }
    requireUndoable(entry);
    if (entry.tool === uploadTool) {
      requireOffered(entry);
      return await undoUpload(actor, entry);
    }
    const undos = dependencies.undosOf(organizationId);
    const stored = await undos.get(keyOf(entry));
    if (stored?.answer) return { undone: stored.answer.undone };
    if (!stored) requireOffered(entry);
    const context = { organizationId, userId, writes: dependencies.writesOf(organizationId), recordsOf };
    const plan = stored?.plan ?? (await planOf(context, undos, entry));
    await carryOut(context, plan).catch(async (error: unknown) => {
      // Nothing is undone: the next try looks at everything anew.
      if (error instanceof DomainError) await undos.drop(keyOf(entry));
      throw error;
    });
    const { call_id: callId, tool, arguments: args, document_id: documentId } = entry;
    const place = { actor: userId, ...(documentId !== undefined && { documentId }), origin: { kind: 'api' as const } };
    await audit.record([{ ...place, kind: 'undone', callId, tool, arguments: args, success: true }]);
    const { undone } = await undos.finish(keyOf(entry), plan, { undone: plan.undone, working_state: nothing });
    return { undone };
  };
}

/**
 * An extraction of a run has the id of its document's run: undone once, whether by itself or with the run. Other calls
 * are undone by themselves alone.
 */
function keyOf({ id, call_id, origin }: AuditEntry): string {
  return origin?.kind === 'run' || origin?.kind === 'schedule' ? call_id : id;
}

/** Of a user's decision: that it came to something. */
function isDecided({ kind, success, decision }: AuditEntry): boolean {
  return kind === 'executed'
    ? success === true
    : kind === 'decided' && (decision === 'approved' || decision === 'rejected');
}

const nothing = { schema_revid: null, prompt_revid: null, extraction: null };

function requireUndoable(entry: AuditEntry): void {
  if (entry.kind !== 'executed' || entry.success !== true) throw notUndoable('It is no write that was carried out.');
  if (entry.turn_id !== undefined) throw notUndoable('It belongs to a turn: undo the turn, or the run that it is of.');
}

function requireOffered({ at }: AuditEntry): void {
  if (Date.parse(at) + undoOfferedMs > Date.now()) return;
  throw new DomainError(
    'gone',
    'undo_expired',
    'A write can be undone within 30 days, and this one is older. Change what it wrote by hand.',
  );
}

function notUndoable(why: string): DomainError {
  return new DomainError('conflict', 'not_undoable', `This entry cannot be undone by itself. ${why}`);
}

function entryNotFound(): DomainError {
  return new DomainError('not_found', 'audit_entry_not_found', 'There is no such entry in the audit log.');
}
