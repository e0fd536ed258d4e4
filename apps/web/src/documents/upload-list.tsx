import { Link } from '@tanstack/react-router';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { formatSize } from './format-document.ts';
import type { Upload } from './upload-reducer.ts';

interface UploadListProps {
  uploads: Upload[];
  onDismiss: (id: number) => void;
  onDismissFinished: () => void;
}

/** Files on their way and just arrived, each with its progress or what went wrong. */
export function UploadList({ uploads, onDismiss, onDismissFinished }: UploadListProps) {
  if (uploads.length === 0) return null;
  const finished = uploads.filter(({ state }) => state === 'done').length;
  return (
    <section aria-label="Uploads" className="rounded-lg border border-line bg-surface">
      <div className="flex h-9 items-center justify-between border-b border-line pr-1 pl-3">
        <output className="text-sm font-medium">
          {finished} of {uploads.length} uploaded
        </output>
        {finished > 0 && (
          <Button look="quiet" size="small" onClick={onDismissFinished}>
            Clear finished
          </Button>
        )}
      </div>
      <ul className="max-h-52 divide-y divide-line overflow-auto">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onDismiss={() => onDismiss(upload.id)} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload, onDismiss }: { upload: Upload; onDismiss: () => void }) {
  return (
    <li className="flex min-h-10 items-center gap-2.5 py-1.5 pr-1 pl-3 text-sm">
      {upload.state === 'failed' && <CircleAlert aria-hidden className="size-4 shrink-0 text-bad" />}
      {upload.state === 'done' && <CircleCheck aria-hidden className="size-4 shrink-0 text-good" />}
      {(upload.state === 'waiting' || upload.state === 'sending') && <Spinner className="shrink-0 text-accent" />}
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-2">
          {upload.document ? (
            <Link
              to="/documents/$documentId"
              params={{ documentId: upload.document.id }}
              className="min-w-0 truncate text-accent underline underline-offset-2"
            >
              {upload.name}
            </Link>
          ) : (
            <span className="min-w-0 truncate">{upload.name}</span>
          )}
          <span className="shrink-0 text-xs text-ink-faint">{formatSize(upload.size)}</span>
        </div>
        {upload.state === 'failed' && <p className="text-xs wrap-anywhere text-bad">{upload.error}</p>}
        {upload.state === 'sending' && (
          <progress
            aria-label={`Uploading ${upload.name}`}
            max={1}
            value={upload.progress}
            className="mt-1 block h-1 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
          />
        )}
      </div>
      <IconButton
        label={upload.state === 'waiting' || upload.state === 'sending' ? 'Cancel upload' : 'Dismiss'}
        onClick={onDismiss}
      >
        <X className="size-4" />
      </IconButton>
    </li>
  );
}
