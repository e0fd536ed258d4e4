import { Link } from '@tanstack/react-router';
import { CircleAlert, Copy, X } from 'lucide-react';
import { counted } from '../../../shared/formats/counted.ts';
import { textLinkClass } from '../../../shared/ui/text-link.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { formatSize } from '../../../shared/formats/format-document.ts';
import type { FileUpload } from './upload-reducer.ts';
import type { Uploads } from './use-uploads.ts';
import { ProgressBar } from '../../../shared/ui/progress-bar.tsx';

/** Active and failed uploads, with progress or error, and duplicates; other finished ones are in the list of documents. */
export function UploadList({ uploads, dismiss, dismissAll, repeat, keep }: Omit<Uploads, 'add'>) {
  if (uploads.length === 0) return null;
  const arrived = uploads.filter(({ state }) => state === 'done').length;
  const open = uploads.filter(({ state, duplicate }) => state !== 'done' || duplicate !== undefined);
  const busy = open.some(({ state }) => state !== 'failed' && state !== 'done');
  const repeated = uploads.filter(({ duplicate }) => duplicate !== undefined).length;
  return (
    <section aria-label="Uploads" className="rounded-lg border border-line bg-surface">
      <div className="flex h-9 items-center justify-between pr-1 pl-3">
        <output className="text-sm font-medium">
          {arrived} of {uploads.length} uploaded
          {repeated > 0 && ` · ${counted(repeated, 'duplicate')}`}
        </output>
        {!busy && (
          <div className="flex">
            {open.some(({ state }) => state === 'failed') && (
              <Button look="quiet" size="small" onClick={repeat}>
                Try again
              </Button>
            )}
            <Button look="quiet" size="small" onClick={dismissAll}>
              Dismiss
            </Button>
          </div>
        )}
      </div>
      {open.length > 0 && (
        <ul className="max-h-52 divide-y divide-line overflow-auto border-t border-line">
          {open.map((upload) => (
            <UploadRow
              key={upload.id}
              upload={upload}
              onDismiss={() => dismiss(upload.id)}
              onKeep={() => void keep(upload)}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface UploadRowProps {
  upload: FileUpload;
  onDismiss: () => void;
  onKeep: () => void;
}

function UploadRow({ upload, onDismiss, onKeep }: UploadRowProps) {
  const { duplicate } = upload;
  return (
    <li className="flex min-h-10 items-center gap-2.5 py-1.5 pr-1 pl-3 text-sm">
      {upload.state === 'failed' ? (
        <CircleAlert aria-hidden className="size-4 shrink-0 text-bad" />
      ) : duplicate === undefined ? (
        <Spinner className="shrink-0 text-accent" />
      ) : (
        <Copy aria-hidden className="size-4 shrink-0 text-ink-faint" />
      )}
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          <span className="min-w-0 truncate">{upload.name}</span>
          <span className="shrink-0 text-xs text-ink-faint">{formatSize(upload.size)}</span>
        </div>
        {upload.state === 'failed' && <p className="text-xs wrap-anywhere text-bad">{upload.error}</p>}
        {duplicate && (
          <p className="text-xs wrap-anywhere text-ink-soft">
            The same file as{' '}
            <Link to="/documents/$documentId" params={{ documentId: duplicate.original.id }} className={textLinkClass}>
              {duplicate.original.name}
            </Link>
            . It is not read again.
          </p>
        )}
        {upload.state === 'sending' && (
          <ProgressBar label={`Uploading ${upload.name}`} max={1} value={upload.progress} className="mt-1 h-1 w-full" />
        )}
      </div>
      {duplicate && (
        <Button size="small" onClick={onKeep}>
          Read it anyway
        </Button>
      )}
      <IconButton label={upload.state === 'failed' || duplicate ? 'Dismiss' : 'Cancel upload'} onClick={onDismiss}>
        <X className="size-4" />
      </IconButton>
    </li>
  );
}
