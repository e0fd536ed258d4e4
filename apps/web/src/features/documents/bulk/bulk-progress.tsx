import type { DocumentBulk } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { Button, linkButtonClass } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';
import { bulkSentence } from './bulk-labels.ts';
import { isActive } from './use-bulk-job.ts';

interface BulkProgressProps {
  job: DocumentBulk;
  onStop: () => void;
  onUndo: () => void;
  onDismiss: () => void;
}

/** The progress of a job, and afterwards its result with Undo. */
export function BulkProgress({ job, onStop, onUndo, onDismiss }: BulkProgressProps) {
  const sentence = bulkSentence(job);
  const runLink = job.run_id !== null && (
    <Link to="/runs/$runId" params={{ runId: job.run_id }} className={linkButtonClass('secondary', 'small')}>
      Open the run
    </Link>
  );
  if (isActive(job)) {
    return (
      <div className="flex items-center gap-3 px-1.5">
        <output className="text-sm tabular-nums">{sentence}</output>
        <ProgressBar
          label={sentence}
          max={Math.max(job.total, 1)}
          value={job.undo?.undone ?? job.done}
          className="h-1 min-w-24 flex-1"
        />
        {runLink}
        {job.undo === null && (
          <Button size="small" onClick={onStop}>
            Stop
          </Button>
        )}
      </div>
    );
  }
  const canUndo = job.undo_until !== null && job.undo?.state !== 'completed' && job.succeeded > 0;
  return (
    <Notice
      tone={job.failed > 0 || job.state === 'failed' ? 'bad' : 'good'}
      actions={
        <>
          {canUndo && (
            <Button size="small" onClick={onUndo}>
              <Undo2 aria-hidden className="size-3.5" /> Undo
            </Button>
          )}
          {runLink}
          <Button size="small" onClick={onDismiss}>
            Dismiss
          </Button>
        </>
      }
    >
      <output className="block">{sentence}</output>
      {job.failures.length > 0 && (
        <ul className="mt-1 max-h-32 list-disc overflow-y-auto pl-4">
          {job.failures.map(({ document_id, document_name, message }) => (
            <li key={document_id} className="wrap-anywhere">
              {document_name === null ? (
                'A deleted document'
              ) : (
                <Link to="/documents/$documentId" params={{ documentId: document_id }} className="underline">
                  {document_name}
                </Link>
              )}
              : {message}
            </li>
          ))}
          {job.failed > job.failures.length && <li>{(job.failed - job.failures.length).toLocaleString()} more</li>}
        </ul>
      )}
    </Notice>
  );
}
