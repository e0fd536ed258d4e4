import type { DocumentBulk, Run } from '@docwright/contract';
import { bulkUndoPeriodMs, type UndoRecord } from './bulk-model.ts';
import type { StoredBulk } from './bulk-repository.ts';

/** Maps a job to the API. `run` executes the job if its action uses a model. `nameOf` names the documents that failed. */
export function presentBulk(
  bulk: StoredBulk,
  run: Run | undefined,
  nameOf: (documentId: string) => string | undefined,
): DocumentBulk {
  const { failures, ...progress } = run === undefined ? ofRecord(bulk) : ofRun(run);
  return {
    id: bulk._id.toHexString(),
    action: bulk.action,
    ...progress,
    failures: failures.map((failure) => ({ ...failure, document_name: nameOf(failure.document_id) ?? null })),
    query: bulk.query,
    total: bulk.total,
    left_out: bulk.left_out ?? 0,
    tag_ids: bulk.tag_ids.map((id) => id.toHexString()),
    prompt_id: bulk.prompt_id,
    message: bulk.message,
    run_id: bulk.run_id?.toHexString() ?? null,
    created_at: bulk.created_at.toISOString(),
    requested_by: bulk.requested_by.toHexString(),
  };
}

/** The limit of listed conflicts, the same as that of failures. */
const maxConflicts = 100;

type Progress = Omit<
  DocumentBulk,
  | 'id'
  | 'action'
  | 'query'
  | 'total'
  | 'left_out'
  | 'tag_ids'
  | 'prompt_id'
  | 'message'
  | 'run_id'
  | 'created_at'
  | 'requested_by'
>;

/** The documents that failed have no name yet. */
type Unnamed = Omit<Progress, 'failures'> & { failures: Run['failures'] };

function ofRecord(bulk: StoredBulk): Unnamed {
  const canUndo = bulk.ended_at !== null && bulk.action !== 'purge' && bulk.state !== 'failed';
  return {
    state: bulk.state,
    done: bulk.succeeded + bulk.failed,
    cancelled: bulk.state === 'stopped' ? bulk.total - bulk.succeeded - bulk.failed : 0,
    succeeded: bulk.succeeded,
    unchanged: bulk.unchanged,
    skipped: 0,
    failed: bulk.failed,
    failures: bulk.failures,
    error: bulk.error,
    undo_until: canUndo ? new Date(bulk.ended_at!.getTime() + bulkUndoPeriodMs).toISOString() : null,
    undo: bulk.undo === null ? null : presentUndo(bulk.undo),
    started_at: bulk.started_at?.toISOString() ?? null,
    ended_at: bulk.ended_at?.toISOString() ?? null,
  };
}

function presentUndo({ state, undone, conflicts }: UndoRecord): NonNullable<DocumentBulk['undo']> {
  return {
    state,
    undone,
    conflicts: conflicts.map(({ changed_at, ...conflict }) => ({
      ...conflict,
      changed_at: changed_at?.toISOString() ?? null,
    })),
  };
}

function ofRun(run: Run): Unnamed {
  const { succeeded, skipped, failed, cancelled, failures, error, created_at, started_at, ended_at, undo } = run;
  const canUndo = ended_at !== null && started_at !== null;
  return {
    state: run.state === 'skipped' ? 'failed' : run.state,
    done: succeeded + skipped + failed,
    cancelled,
    succeeded,
    unchanged: 0,
    skipped,
    failed,
    failures,
    error,
    undo_until: canUndo ? new Date(Date.parse(created_at) + bulkUndoPeriodMs).toISOString() : null,
    undo: undo ? { state: undo.state, undone: undo.undone, conflicts: undo.conflicts.slice(0, maxConflicts) } : null,
    started_at,
    ended_at,
  };
}
