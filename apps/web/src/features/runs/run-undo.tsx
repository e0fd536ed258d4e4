import type { Run, RunUndoConflict } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { localTimezone, momentLabel } from '../../shared/formats/timing-labels.ts';
import { useMemberName } from '../../shared/labels/use-member-name.ts';
import { Notice } from '../../shared/ui/notice.tsx';
import { ProgressBar } from '../../shared/ui/progress-bar.tsx';
import { counted } from '../../shared/formats/counted.ts';

/** The progress of a run's undo, and the changes that it did not undo. */
export function RunUndoState({ run: { undo, succeeded, failed, skipped, cancelled } }: { run: Run }) {
  const memberName = useMemberName();
  if (undo === undefined) return null;
  const documents = counted(undo.undone, 'document');
  if (undo.state === 'running') {
    const total = Math.max(succeeded + failed + skipped + cancelled, 1);
    return (
      <Notice>
        <output className="flex flex-col gap-1.5">
          <span className="flex justify-between gap-2">
            <span>Undoing this run…</span>
            <span className="text-ink-soft tabular-nums">{documents}</span>
          </span>
          <ProgressBar label="Documents undone" max={total} value={Math.min(undo.undone, total)} />
        </output>
      </Notice>
    );
  }
  const when = undo.ended_at === null ? '' : ` on ${momentLabel(undo.ended_at, localTimezone())}`;
  const by = memberName(undo.requested_by);
  const who = by === '' ? '' : ` by ${by}`;
  if (undo.state === 'completed') {
    return (
      <Notice>
        Undone{who}
        {when}: {undo.undone === 0 ? 'the run had changed nothing' : `its changes in ${documents} are undone`}.
      </Notice>
    );
  }
  return (
    <Notice tone="warn">
      <p>
        Undone in {documents}
        {who}
        {when}. These things were changed after the run and were kept. Change them back, then undo the rest:
      </p>
      <ul aria-label="Not undone" className="mt-1 list-disc pl-5">
        {undo.conflicts.map((conflict) => (
          <li key={`${conflict.document_id} ${conflict.what}`} className="wrap-anywhere">
            <Conflict {...conflict} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Conflict({ document_id, what, changed_by, changed_at }: RunUndoConflict) {
  const name = useMemberName()(changed_by ?? '');
  const when = changed_at === null ? '' : momentLabel(changed_at, localTimezone());
  const details = [name, when].filter((part) => part !== '').join(', ');
  return (
    <>
      {what}
      {details !== '' && <span className="text-ink-soft"> ({details})</span>}{' '}
      <Link to="/documents/$documentId" params={{ documentId: document_id }} className="underline underline-offset-2">
        Open
      </Link>
    </>
  );
}
