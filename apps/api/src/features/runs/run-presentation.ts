import type { Run, RunDocument, RunUndo } from '@docwright/contract';
import { noCounts, type DocumentRun, type HeadlessQueue } from '../headless/index.ts';
import type { RunFinal, RunUndoRecord } from './run-model.ts';
import type { StoredRun } from './run-repository.ts';

/** Failures listed with a run; the list of its documents has them all. */
const maxFailures = 100;

type RunTally = Pick<
  Run,
  'waiting' | 'parked' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'skipped' | 'spu_used'
>;

type Counting = Pick<HeadlessQueue, 'countsOfRun'>;

/** The results of its documents so far, including refused ones. */
async function tallyOf(run: StoredRun, queue: Counting): Promise<RunTally> {
  if (run.final !== null && !run.final.waiting) {
    return { waiting: 0, parked: 0, running: 0, skipped: 0, ...run.final };
  }
  const counts = run.document_ids === null ? noCounts : await queue.countsOfRun(run.organization_id, run.id);
  const { running, succeeded, cancelled, skipped, waiting: parked, spuUsed: spu_used } = counts;
  const failed = counts.failed + run.refused.length;
  const done = succeeded + failed + cancelled + skipped;
  const rest = Math.max((run.document_ids?.length ?? 0) - running - parked - done, 0);
  // After all are queued, entries that are missing in the queue were deleted with their documents.
  const queued = run.state === 'queued' ? rest : counts.queued;
  const deleted = run.final === null ? 0 : Math.max(rest - queued, 0);
  return {
    waiting: queued + parked,
    parked,
    running,
    succeeded,
    failed,
    cancelled: cancelled + deleted,
    skipped,
    spu_used,
  };
}

/** The final counts of a run. It ends when `open` is 0; documents that wait for a decision are not open. */
export async function finalOf(run: StoredRun, queue: Counting): Promise<RunFinal & { open: number }> {
  const { waiting, parked, running, ...tally } = await tallyOf(run, queue);
  const { succeeded, failed, cancelled, skipped } = tally;
  // Entries that were never queued because of a stop, and those deleted with their documents.
  const missing = (run.document_ids?.length ?? 0) - succeeded - failed - cancelled - skipped - waiting - running;
  return {
    ...tally,
    cancelled: cancelled + Math.max(missing, 0),
    waiting: parked,
    open: waiting - parked + running,
  };
}

/** A run as the API returns it. */
export async function presentRun(run: StoredRun, queue: HeadlessQueue): Promise<Run> {
  const tally = await tallyOf(run, queue);
  return {
    id: run.id,
    schedule_id: run.schedule_id,
    trigger: run.trigger,
    action: run.action,
    state: run.state,
    matched: run.matched,
    total: run.document_ids?.length ?? 0,
    ...tally,
    failures: tally.failed === 0 ? [] : await failuresOf(run, queue),
    error: run.error,
    message: run.message,
    auto_approved_tools: run.auto_approved_tools,
    on_ask: run.on_ask ?? 'deny',
    ...(run.replace ? { replace: run.replace } : {}),
    ...(run.skipped_times === undefined ? {} : { skipped_times: run.skipped_times }),
    due_at: run.due_at?.toISOString() ?? null,
    created_at: run.created_at.toISOString(),
    started_at: run.started_at?.toISOString() ?? null,
    ended_at: run.ended_at?.toISOString() ?? null,
    requested_by: run.requested_by,
    ...(run.undo && { undo: presentUndo(run.undo) }),
  };
}

function presentUndo({ started_at, ended_at, pass: _pass, ...undo }: RunUndoRecord): RunUndo {
  return { ...undo, started_at: started_at.toISOString(), ended_at: ended_at?.toISOString() ?? null };
}

async function failuresOf(run: StoredRun, queue: HeadlessQueue): Promise<Run['failures']> {
  const page = { skip: 0, limit: maxFailures, states: ['failed'] as const };
  const { documentRuns } = await queue.listOfRun(run.organization_id, run.id, page);
  const failed = documentRuns.map(({ documentId, error }) => ({
    document_id: documentId,
    ...(error ?? unknownReason),
  }));
  return [...run.refused, ...failed].slice(0, maxFailures);
}

const unknownReason = { code: 'failed', message: 'It failed for an unknown reason.' };

/** A queued document as the API returns it. */
export function presentDocumentRun(entry: DocumentRun, document_name: string | null): RunDocument {
  return {
    document_id: entry.documentId,
    document_name,
    state: entry.state,
    error: entry.error,
    spu_used: entry.spuUsed,
    thread_id: entry.threadId,
    started_at: entry.startedAt?.toISOString() ?? null,
    ended_at: entry.endedAt?.toISOString() ?? null,
  };
}

/** A document that the queue refused. */
export function presentRefused(run: StoredRun, document_id: string, document_name: string | null): RunDocument {
  const refusal = run.refused.find((entry) => entry.document_id === document_id);
  const at = run.started_at?.toISOString() ?? null;
  return {
    document_id,
    document_name,
    state: 'failed',
    error: refusal === undefined ? unknownReason : { code: refusal.code, message: refusal.message },
    spu_used: 0,
    thread_id: null,
    started_at: at,
    ended_at: at,
  };
}
