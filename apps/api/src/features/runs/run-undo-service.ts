import { DomainError, type RunUndoConflict } from '@docwright/contract';
import { beginTurn, isGivenUp } from '../../platform/leases/claims-in-turn.ts';
import { workUnderLeases, type HeldLease } from '../../platform/leases/leased-work.ts';
import type { TurnWriteRepository } from '../../turn-writes/turn-write-repository.ts';
import type { AuditLog } from '../audit/index.ts';
import type { DocumentRunRepository, UndoableDocumentRun } from '../headless/index.ts';
import { emptyWorkingState } from '../threads/index.ts';
import {
  type TurnUndoRepository,
  carryOut,
  obstaclesOf,
  planUndo,
  type UndoableRecordsOf,
  type UndoContext,
} from '../undo/index.ts';
import type { UndoPass } from './run-model.ts';
import type { RunUndoClaim, RunUndoRepository } from './run-undo-repository.ts';

export interface RunUndoDependencies {
  undos: RunUndoRepository;
  runs: Pick<DocumentRunRepository, 'undoable' | 'setUndone' | 'countUndone'>;
  writesOf: (organizationId: string) => TurnWriteRepository;
  undosOf: (organizationId: string) => TurnUndoRepository;
  auditOf: (organizationId: string) => AuditLog;
  recordsOf: UndoableRecordsOf;
  /** Ends a pending call; false if a user has just decided on it. */
  endPending: (run: UndoableDocumentRun) => Promise<boolean>;
  /** Removes an undone proposal from the document. */
  forgetProposal: (run: UndoableDocumentRun) => Promise<void>;
  /** How often the lease is renewed. */
  renewEveryMs?: number;
  /** How long a run is undone before others have their turn. */
  turnMs?: number;
  log: { error(fields: object, message: string): void };
}

/** Undoes runs, document by document. Any number of processes can work concurrently. */
interface RunUndoService {
  work(signal: AbortSignal): Promise<void>;
}

export function createRunUndoService(dependencies: RunUndoDependencies): RunUndoService {
  const { undos, runs, recordsOf, log, renewEveryMs = 4_000, turnMs = 2_000 } = dependencies;

  /**
   * Undoes the writes of one document, all or nothing; returns the conflicts. The plan is stored before it is carried
   * out, so that another process can finish it after a crash.
   */
  async function undoOne(
    context: UndoContext,
    entry: UndoableDocumentRun,
    requireHeld: HeldLease['requireHeld'],
  ): Promise<RunUndoConflict[]> {
    const { organizationId } = context;
    if (entry.state === 'running' || entry.state === 'queued') return [stillActive(entry)];
    if (entry.state === 'waiting' && !(await dependencies.endPending(entry))) return [stillActive(entry)];
    const stored = dependencies.undosOf(organizationId);
    try {
      const known = await stored.get(entry.id);
      const plan =
        known?.plan ??
        (await stored.start(entry.id, entry.documentId, await planUndo(context, await notUndone(entry, stored))));
      if (!known?.answer) {
        await requireHeld();
        await carryOut(context, plan);
        // Who has the lease by now carries the same plan out again, which changes nothing, and records it.
        await requireHeld();
        await dependencies.auditOf(organizationId).record(
          plan.undone.map(({ call_id: callId, tool }) => ({
            kind: 'undone' as const,
            actor: context.userId,
            documentId: entry.documentId,
            ...(entry.threadId !== null && { threadId: entry.threadId, turnId: entry.turnIds.at(-1) ?? entry.id }),
            callId,
            tool,
            arguments: '{}',
            success: true,
            origin: { kind: 'run' as const, id: entry.runId },
          })),
        );
        await stored.finish(entry.id, plan, { undone: plan.undone, working_state: emptyWorkingState });
        if (entry.kind === 'auto_create') await dependencies.forgetProposal(entry);
      }
      await runs.setUndone(organizationId, entry.id, plan.undone.length);
      return [];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // Nothing was undone: the next attempt makes a new plan.
      await stored.drop(entry.id);
      return await conflictsOf(context, entry, error);
    }
  }

  /** The turns that were not undone separately: the records of undone turns would look changed. */
  async function notUndone({ id, turnIds }: UndoableDocumentRun, stored: TurnUndoRepository): Promise<string[]> {
    const undos = await Promise.all(turnIds.map((turnId) => stored.get(turnId)));
    return turnIds.filter((turnId, at) => turnId === id || !undos[at]?.answer);
  }

  async function conflictsOf(
    { organizationId }: UndoContext,
    { documentId }: UndoableDocumentRun,
    error: DomainError,
  ): Promise<RunUndoConflict[]> {
    const writes = dependencies.writesOf(organizationId);
    return await Promise.all(
      obstaclesOf(error).map(async ({ what, kind, id }) => {
        const by = kind === undefined || id === undefined ? undefined : await writes.lastChangeOf(kind, id);
        return {
          document_id: documentId,
          what,
          changed_by: by?.userId ?? null,
          changed_at: by?.at.toISOString() ?? null,
        };
      }),
    );
  }

  /** Newest first. A document that others of the run block is tried again after those are undone. */
  async function undoRun(claim: RunUndoClaim, { requireHeld }: HeldLease): Promise<void> {
    const { organization_id: organizationId, id, undo, requested_by } = claim.run;
    if (isGivenUp(claim.run)) return await undos.giveUp(claim);
    const userId = undo?.requested_by ?? requested_by;
    const context = { organizationId, userId, writes: dependencies.writesOf(organizationId), recordsOf };
    const all = await runs.undoable(organizationId, id);
    const isOver = beginTurn(turnMs);
    let pass = undo?.pass ?? newPass();
    let open = all.filter((entry) => !pass.blocked.includes(entry.id));
    for (;;) {
      for (const entry of open) {
        if (isOver()) return await undos.release(claim, pass);
        await requireHeld();
        const found = await undoOne(context, entry, requireHeld);
        if (found.length > 0) {
          pass.conflicts.push(...found);
          pass.blocked.push(entry.id);
        } else pass.isProgress = true;
        if (!(await undos.progress(claim, await runs.countUndone(organizationId, id)))) return;
      }
      if (!pass.isProgress || pass.blocked.length === 0) break;
      const blocked = new Set(pass.blocked);
      open = all.filter((entry) => blocked.has(entry.id));
      pass = newPass();
    }
    await undos.finish(claim, pass.conflicts);
  }

  return {
    work: (signal) =>
      workUnderLeases<RunUndoClaim>(
        {
          claim: () => undos.claim(),
          renew: (claim) => undos.renew(claim),
          renewEveryMs,
          release: (claim) => undos.release(claim),
          work: undoRun,
          // The claim expires and a worker tries again.
          fail: async ({ run }, error) =>
            log.error({ err: error, run_id: run.id }, 'undoing a run failed; a worker tries again'),
        },
        signal,
      ),
  };
}

const newPass = (): UndoPass => ({ blocked: [], conflicts: [], isProgress: false });

function stillActive({ documentId }: UndoableDocumentRun): RunUndoConflict {
  const what = 'the document is still being processed: undo again when that has ended';
  return { document_id: documentId, what, changed_by: null, changed_at: null };
}
