import type { WriteMark } from '../../turn-writes/write-origin.ts';
import type { ClaimedRun } from './claim-repository.ts';

/** Through what the writes of a run come, as the audit log and the versions of a result name it. */
export function runSourceOf({
  kind,
  id,
  runId,
  scheduleId,
}: ClaimedRun): Required<Pick<WriteMark, 'source'>> & WriteMark {
  if (scheduleId !== undefined) {
    return { source: { kind: 'schedule', id: scheduleId }, ...(runId !== null && { run_id: runId }) };
  }
  if (runId !== null) return { source: { kind: 'run', id: runId }, run_id: runId };
  return { source: kind === 'auto_create' ? { kind: 'auto_create', id } : { kind: 'run', id } };
}
