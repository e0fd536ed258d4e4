import { Button } from '../../../shared/ui/button.tsx';
import { Notice } from '../../../shared/ui/notice.tsx';
import type { BulkRun } from './use-bulk-run.ts';

interface BulkProgressProps {
  run: BulkRun;
  onStop: () => void;
  onDismiss: () => void;
}

/** How far a common action has come, and which documents it was refused for. */
export function BulkProgress({ run: { doing, total, done, failures, state }, onStop, onDismiss }: BulkProgressProps) {
  if (state === 'running') {
    return (
      <div className="flex items-center gap-3 px-1.5">
        <output className="text-sm tabular-nums">
          {doing} {Math.min(done + 1, total)} of {total}
        </output>
        <progress
          aria-label={doing}
          max={total}
          value={done}
          className="block h-1 min-w-24 flex-1 appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
        />
        <Button size="small" onClick={onStop}>
          Stop
        </Button>
      </div>
    );
  }
  return (
    <Notice
      tone="bad"
      actions={
        <Button size="small" onClick={onDismiss}>
          Dismiss
        </Button>
      }
    >
      <p>
        {doing} was refused for {failures.length} of {total}:
      </p>
      <ul className="mt-1 max-h-32 list-disc overflow-y-auto pl-4">
        {failures.map(({ document, message }) => (
          <li key={document.id}>
            <span className="font-medium">{document.document_name}</span>: {message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
