import type { DocumentBulk, DocumentBulkAction } from '@docwright/contract';
import { counted } from '../../../shared/formats/counted.ts';

const labels: Record<DocumentBulkAction, { active: string; done: string }> = {
  tag: { active: 'Tagging', done: 'Tagged' },
  untag: { active: 'Removing the tag from', done: 'Removed the tag from' },
  delete: { active: 'Deleting', done: 'Deleted' },
  restore: { active: 'Restoring', done: 'Restored' },
  purge: { active: 'Removing', done: 'Removed' },
  extract: { active: 'Extracting', done: 'Extracted' },
  auto_create: { active: 'Preparing', done: 'Prepared' },
  message: { active: 'Sending the message to', done: 'Sent the message to' },
};

/** Describes a running or finished job in one line. */
export function bulkSentence(job: DocumentBulk): string {
  const { action, state, total, done, succeeded, skipped, failed, left_out, undo, error } = job;
  const { active, done: finished } = labels[action];
  if (undo?.state === 'running') return `Undoing: ${undo.undone.toLocaleString()} of ${counted(total, 'document')}`;
  if (undo !== null) {
    const kept = undo.conflicts.length;
    return `Undone for ${counted(undo.undone, 'document')}${kept === 0 ? '' : `; ${kept} changed since and were kept`}.`;
  }
  if (state === 'queued' || state === 'running')
    return `${active} ${done.toLocaleString()} of ${counted(total, 'document')}`;
  if (state === 'failed') return error?.message ?? 'The job could not start.';
  const notes = [
    skipped > 0 &&
      (action === 'extract'
        ? `${skipped} kept, with corrected or verified values`
        : `${skipped.toLocaleString()} skipped`),
    failed > 0 && `${failed.toLocaleString()} failed`,
    left_out > 0 && `${left_out.toLocaleString()} left out`,
    state === 'stopped' && `stopped after ${done.toLocaleString()} of ${total.toLocaleString()}`,
  ].filter((note) => note !== false);
  return `${finished} ${counted(succeeded, 'document')}${notes.length === 0 ? '' : ` · ${notes.join(' · ')}`}.`;
}
