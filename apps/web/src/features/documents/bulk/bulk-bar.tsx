import type { CreateDocumentBulkBody, Document } from '@docwright/contract';
import { useNavigate } from '@tanstack/react-router';
import { Download, MessageSquareText, Play, Sparkles, Table2, Trash2, WandSparkles, X } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { filePath } from '../../../shared/api/documents-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useToast } from '../../../shared/ui/toasts.tsx';
import { messageOf } from '../../../shared/http/api-error.ts';
import { BulkProgress } from './bulk-progress.tsx';
import { resultsOfSelection } from './results-of-selection.ts';
import { BulkTags } from './bulk-tags.tsx';
import type { AllMatching, Selection } from './selection.ts';
import { isActive, useBulkJob } from './use-bulk-job.ts';
import { useWindowKey } from '../../../shared/ui/browser/use-window-key.ts';
import { counted } from '../../../shared/formats/counted.ts';

const ConfirmDialog = lazyPart(async () => ({
  default: (await import('../../../shared/ui/dialogs/confirm-dialog.tsx')).ConfirmDialog,
}));

const ExtractDialog = lazyPart(async () => ({ default: (await import('./extract-dialog.tsx')).ExtractDialog }));
const PrepareDialog = lazyPart(async () => ({ default: (await import('./extract-dialog.tsx')).PrepareDialog }));

interface BulkBarProps {
  selection: Selection;
  /** The documents on the page. */
  shown: readonly Document[];
  /** All documents that the list's query finds; only if the whole page is selected. */
  allMatching: AllMatching | undefined;
  /** The query in words: `matching “letter”, state Ready`; empty without a filter. */
  queryLabel: string;
  onSelectAll: (matching: AllMatching) => void;
  onClear: () => void;
}

/** The actions on the selected documents; floats over the end of the list, so that nothing moves when it appears. */
export function BulkBar({ selection, shown, allMatching, queryLabel, onSelectAll, onClear }: BulkBarProps) {
  const { orgId, canWrite } = useSession();
  const navigate = useNavigate();
  const toast = useToast();
  const [asking, setAsking] = useState<'delete' | 'extract' | 'prepare'>();
  const { job, start, asked, dropAsked, stop, undo, dismiss } = useBulkJob(orgId);
  const busy = job !== undefined && isActive(job);
  const { matching } = selection;
  const documents = [...selection.documents.values()];
  const count = matching?.count ?? documents.length;
  useWindowKey((event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || busy) return;
    if (document.querySelector('[role="dialog"], [role="menu"]')) return;
    event.preventDefault();
    onClear();
  }, count > 0);
  const bar = useRef<HTMLElement>(null);
  // The bar is the last part of the page: tabbing to it leads through every row.
  useWindowKey((event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (key !== 'a' || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
    const isBusyElsewhere =
      target instanceof Element && target.closest('input:not([type="checkbox"]), textarea, select');
    if (isBusyElsewhere || document.querySelector('[role="dialog"], [role="menu"]')) return;
    event.preventDefault();
    bar.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus();
  }, count > 0);
  if (count === 0 && !job) return null;

  const which = matching ? { query: matching.query } : { document_ids: documents.map(({ id }) => id) };
  const act = async (body: Omit<CreateDocumentBulkBody, 'query' | 'document_ids'>) => {
    const started = await start({ ...which, ...(matching && { expected_count: matching.count }), ...body });
    // Deleted documents cannot stay selected; others can be acted on again.
    if (started && body.action === 'delete') onClear();
  };
  const goWithChosen = (to: '/runs/new' | '/setup/new') => {
    const chosenDocuments = documents.map(({ id, document_name }) => ({ id, document_name }));
    return navigate({ to, state: { chosenDocuments } });
  };
  const showResults = async () => {
    try {
      await navigate({ to: '/results', search: await resultsOfSelection(orgId, selection, shown) });
    } catch (error) {
      toast(messageOf(error), 'bad');
    }
  };
  const action = { look: 'quiet', size: 'small', disabled: busy } as const;

  return (
    <section
      ref={bar}
      aria-label="Selected documents"
      className="sticky bottom-3 z-20 mx-auto flex max-w-full min-w-[min(26rem,100%)] flex-col gap-2 rounded-lg border border-line-strong bg-raised p-2 shadow-float"
    >
      {job && <BulkProgress job={job} onStop={stop} onUndo={undo} onDismiss={dismiss} />}
      {count > 0 && (
        <div className="relative flex flex-wrap items-center gap-1 pr-8">
          <output className="px-1.5 text-sm font-medium tabular-nums">
            {matching
              ? `All ${counted(count, 'document')}${queryLabel === '' ? '' : ` ${queryLabel}`}`
              : `${count} selected`}
          </output>
          {allMatching !== undefined && !matching && count < allMatching.count && (
            <Button {...action} onClick={() => onSelectAll(allMatching)}>
              Select all {allMatching.count.toLocaleString()} {queryLabel}
            </Button>
          )}
          <span aria-hidden className="mx-1 h-5 w-px bg-line max-sm:hidden" />
          {canWrite && (
            <>
              <BulkTags documents={matching ? undefined : documents} disabled={busy} onApply={act} />
              <Button {...action} onClick={() => setAsking('extract')}>
                <Play aria-hidden className="size-3.5" /> Extract…
              </Button>
              <Button
                {...action}
                // The whole words would break the line of a wide screen.
                aria-label="Prepare automatically…"
                title="Prepare automatically"
                onClick={() => setAsking('prepare')}
              >
                <Sparkles aria-hidden className="size-3.5" /> Prepare…
              </Button>
            </>
          )}
          {canWrite && !matching && (
            <>
              <Button {...action} onClick={() => void goWithChosen('/runs/new')}>
                <MessageSquareText aria-hidden className="size-3.5" /> Message…
              </Button>
              <Button {...action} onClick={() => void goWithChosen('/setup/new')}>
                <WandSparkles aria-hidden className="size-3.5" /> Guided setup…
              </Button>
            </>
          )}
          <Button {...action} onClick={() => void showResults()}>
            <Table2 aria-hidden className="size-3.5" /> Results
          </Button>
          {!matching && (
            <Button {...action} onClick={() => void downloadAll(orgId, documents)}>
              <Download aria-hidden className="size-3.5" /> Download files
            </Button>
          )}
          {canWrite && (
            <Button {...action} className="text-bad!" onClick={() => setAsking('delete')}>
              <Trash2 aria-hidden className="size-3.5" /> Delete…
            </Button>
          )}
          <IconButton
            label="Clear selection"
            hint="Esc"
            disabled={busy}
            onClick={onClear}
            className="absolute top-0 right-0"
          >
            <X className="size-4" />
          </IconButton>
        </div>
      )}
      {asking === 'extract' && (
        <Suspense>
          <ExtractDialog
            which={which}
            count={count}
            onClose={() => setAsking(undefined)}
            onExtract={(prompt_id) => {
              setAsking(undefined);
              void act({ action: 'extract', only_estimated: true, ...(prompt_id !== undefined && { prompt_id }) });
            }}
          />
        </Suspense>
      )}
      {asking === 'prepare' && (
        <Suspense>
          <PrepareDialog
            which={which}
            count={count}
            onClose={() => setAsking(undefined)}
            onPrepare={() => {
              setAsking(undefined);
              void act({ action: 'auto_create', only_estimated: true });
            }}
          />
        </Suspense>
      )}
      {asked && (
        <Suspense>
          <ConfirmDialog
            title={`Start ${counted(asked.extractions, 'extraction')}?`}
            description={`The tag runs its prompts on the documents that get it, for about ${asked.spu_estimated.toLocaleString()} SPU. You can undo it.`}
            action="Tag and extract"
            run={async () => {
              await start({ ...asked.body, confirm: { extractions: asked.extractions } });
            }}
            onClose={dropAsked}
          />
        </Suspense>
      )}
      {asking === 'delete' && (
        <Suspense>
          <ConfirmDialog
            title={`Delete ${counted(count, 'document')}?`}
            description={`${matching ? `All documents${queryLabel === '' ? '' : ` ${queryLabel}`}.` : namesOf(documents)} They move to the trash for 30 days, with their extractions and conversations. You can undo it.`}
            action={`Delete ${counted(count, 'document')}`}
            run={async () => {
              setAsking(undefined);
              await act({ action: 'delete' });
            }}
            onClose={() => setAsking(undefined)}
          />
        </Suspense>
      )}
    </section>
  );
}

const maxNames = 3;

function namesOf(documents: Document[]): string {
  const names = documents.slice(0, maxNames).map(({ document_name }) => `“${document_name}”`);
  const more = documents.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

const betweenDownloadsMs = 300;

/** Downloads one file after another: browsers drop downloads that start at the same moment. */
async function downloadAll(orgId: string, documents: Document[]): Promise<void> {
  for (const { id, document_name } of documents) {
    const link = document.createElement('a');
    link.href = filePath(orgId, id);
    link.download = document_name;
    link.click();
    await new Promise((resolve) => setTimeout(resolve, betweenDownloadsMs));
  }
}
