import type { Document } from '@docwright/contract';
import { useNavigate } from '@tanstack/react-router';
import { Download, MessageSquareText, Play, Sparkles, Trash2, WandSparkles, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { deleteDocument, filePath, startAutoCreate } from '../../../shared/api/documents-api.ts';
import { runExtraction } from '../../../shared/api/extractions-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useToast } from '../../../shared/ui/toasts.tsx';
import { BulkTags } from './bulk-tags.tsx';
import { useBulkRun, type BulkFailure, type Work, type BulkRun } from './use-bulk-run.ts';
import { Notice } from '../../../shared/ui/notice.tsx';

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../../shared/ui/dialogs/confirm-dialog.tsx')).ConfirmDialog,
}));

interface BulkBarProps {
  documents: Document[];
  /** How many the list holds in all, where all of the page are chosen and there are more. */
  allMatching: number | undefined;
  onSelectAll: () => void;
  onClear: () => void;
  onDeleted: (documents: Document[]) => void;
  /** Documents as an action has left them. */
  onChanged: (documents: Document[]) => void;
}

/** What can be done with all that is chosen; over the list's end, so that nothing moves when it comes. */
export function BulkBar({ documents, allMatching, onSelectAll, onClear, onDeleted, onChanged }: BulkBarProps) {
  const { orgId, canWrite } = useSession();
  const toast = useToast();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const { run, start, stop, dismiss } = useBulkRun(orgId);
  const busy = run?.state === 'running';
  const count = documents.length;
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || busy) return;
    if (document.querySelector('[role="dialog"], [role="menu"]')) return;
    event.preventDefault();
    onClear();
  });
  useEffect(() => {
    if (count === 0) return;
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, [count]);
  if (count === 0 && !run) return null;

  const act = async (doing: string, done: string, work: Work) => {
    const worked = await start(doing, documents, work);
    if (worked.length > 0) toast(`${done}: ${countWords(worked.length)}.`);
    onChanged(worked);
    return worked;
  };
  const through =
    (request: (orgId: string, documentId: string) => Promise<unknown>): Work =>
    async ({ id }) => {
      await request(orgId, id);
      return undefined;
    };
  const remove = async () => {
    setAsking(false);
    onDeleted(await act('Deleting', 'Deleted', through(deleteDocument)));
  };
  const extract = () =>
    act(
      'Extracting',
      'Extracted',
      through((org, id) => runExtraction(org, id)),
    );
  const goWithChosen = (to: '/runs/new' | '/setup/new') => {
    const chosenDocuments = documents.map(({ id, document_name }) => ({ id, document_name }));
    return navigate({ to, state: { chosenDocuments } });
  };
  const prepare = () => act('Queuing', 'Queued for preparation', through(startAutoCreate));

  return (
    <section
      aria-label="Chosen documents"
      className="sticky bottom-3 z-20 mx-auto flex max-w-full flex-col gap-2 rounded-lg border border-line-strong bg-raised p-2 shadow-float"
    >
      {run && <BulkProgress run={run} onStop={stop} onDismiss={dismiss} />}
      {count > 0 && (
        <div className="relative flex flex-wrap items-center gap-1">
          <output className="px-1.5 text-sm font-medium tabular-nums">{count} selected</output>
          {allMatching !== undefined && count < allMatching && (
            <Button look="quiet" size="small" disabled={busy} onClick={onSelectAll}>
              Select all {allMatching}
            </Button>
          )}
          <span aria-hidden className="mx-1 h-5 w-px bg-line max-sm:hidden" />
          {canWrite && (
            <>
              <BulkTags documents={documents} disabled={busy} onApply={act} />
              <Button look="quiet" size="small" disabled={busy} onClick={() => void extract()}>
                <Play aria-hidden className="size-3.5" /> Extract
              </Button>
              <Button look="quiet" size="small" disabled={busy} onClick={() => void prepare()}>
                <Sparkles aria-hidden className="size-3.5" /> Prepare automatically
              </Button>
              <Button look="quiet" size="small" disabled={busy} onClick={() => void goWithChosen('/runs/new')}>
                <MessageSquareText aria-hidden className="size-3.5" /> Message to all…
              </Button>
              <Button look="quiet" size="small" disabled={busy} onClick={() => void goWithChosen('/setup/new')}>
                <WandSparkles aria-hidden className="size-3.5" /> Guided setup…
              </Button>
            </>
          )}
          <Button look="quiet" size="small" disabled={busy} onClick={() => void downloadAll(orgId, documents)}>
            <Download aria-hidden className="size-3.5" /> Download
          </Button>
          {canWrite && (
            <Button look="quiet" size="small" disabled={busy} className="text-bad!" onClick={() => setAsking(true)}>
              <Trash2 aria-hidden className="size-3.5" /> Delete…
            </Button>
          )}
          <IconButton
            label="Clear selection"
            hint="Esc"
            disabled={busy}
            onClick={onClear}
            className="ml-auto max-sm:absolute max-sm:top-0 max-sm:right-0"
          >
            <X className="size-4" />
          </IconButton>
        </div>
      )}
      {asking && (
        <Suspense>
          <ConfirmDialog
            title={`Delete ${countWords(count)}?`}
            description={`${namesOf(documents)} This deletes the files, their extractions and conversations for good. Schemas, prompts and tags are kept.`}
            action={`Delete ${countWords(count)}`}
            keep="Cancel"
            run={async () => void remove()}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </section>
  );
}

const countWords = (count: number) => (count === 1 ? 'one document' : `${count} documents`);
const mostNames = 3;

function namesOf(documents: Document[]): string {
  const names = documents.slice(0, mostNames).map(({ document_name }) => `“${document_name}”`);
  const more = documents.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

const betweenDownloadsMs = 300;

/** One after the other: browsers drop downloads that begin at the same moment. */
async function downloadAll(orgId: string, documents: Document[]): Promise<void> {
  for (const { id, document_name } of documents) {
    const link = document.createElement('a');
    link.href = filePath(orgId, id);
    link.download = document_name;
    link.click();
    await new Promise((resolve) => setTimeout(resolve, betweenDownloadsMs));
  }
}

interface BulkProgressProps {
  run: BulkRun;
  onStop: () => void;
  onDismiss: () => void;
}

/** The progress of a bulk action, and afterwards the documents that it kept or failed for. */
function BulkProgress({ run: { doing, total, done, failures, state }, onStop, onDismiss }: BulkProgressProps) {
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
  const kept = failures.filter((failure) => failure.kept);
  const failed = failures.filter((failure) => !failure.kept);
  return (
    <Notice
      tone={failed.length > 0 ? 'bad' : 'info'}
      actions={
        <Button size="small" onClick={onDismiss}>
          Dismiss
        </Button>
      }
    >
      {kept.length > 0 && (
        <>
          <p>Kept the corrected or verified values of {countWords(kept.length)}. Open one to extract it again.</p>
          <FailureList failures={kept} />
        </>
      )}
      {failed.length > 0 && (
        <>
          <p>
            {doing} failed for {failed.length} of {total}:
          </p>
          <FailureList failures={failed} withMessages />
        </>
      )}
    </Notice>
  );
}

function FailureList({ failures, withMessages = false }: { failures: BulkFailure[]; withMessages?: boolean }) {
  return (
    <ul className="mt-1 max-h-32 list-disc overflow-y-auto pl-4">
      {failures.map(({ document, message }) => (
        <li key={document.id}>
          <span className="font-medium">{document.document_name}</span>
          {withMessages && `: ${message}`}
        </li>
      ))}
    </ul>
  );
}
