import type { Document, SplitAnswer, SplitProposal } from '@docwright/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft, RotateCcw, ZoomIn, ZoomOut } from 'lucide-react';
import { useState } from 'react';
import { documentQuery, filePath, splitDocument, splitProposalQuery } from '../../shared/api/documents-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { AppHeader } from '../../shared/page/app-header.tsx';
import { FailedPage } from '../../shared/page/failed-page.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { PageKeys } from '../../shared/ui/dialogs/page-keys.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { scrolledByKeys } from '../../shared/ui/scroll-box.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { useStoredValue } from '../../shared/ui/browser/stored-value.ts';
import type { PageSize } from '../viewer/index.ts';
import { PdfSheets } from '../viewer/pdf-sheets.tsx';
import { SplitResult } from './split-result.tsx';
import { PartList } from './part-list.tsx';
import {
  changePart,
  moveStart,
  obstacleOf,
  proposedParts,
  readParts,
  splitBodyOf,
  toggleStart,
  type SplitPart,
} from './split-parts.ts';
import { SplitPages } from './split-pages.tsx';

const route = getRouteApi('/documents/$documentId/split');
const noPages: PageSize[] = [];
/** Thumbnail widths in pixels. */
const widths = [88, 120, 168, 240, 360];
const keys = [
  ['Enter', 'On a page: begin a document here, or join it with the previous one'],
  ['← →', 'On a line: move it. On a page: the next page'],
  ['Delete', 'On a line: remove it'],
] as const;

/** Splits a file into its documents; boundaries are proposed, and the user moves, adds and removes them. */
export function SplitPage() {
  const { documentId } = route.useParams();
  const { orgId } = useSession();
  const reading = useQuery(documentQuery(orgId, documentId));
  const proposal = useQuery(splitProposalQuery(orgId, documentId));
  const error = reading.error ?? proposal.error;
  const { data: document } = reading;
  return (
    <>
      <title>{`Split ${document?.document_name ?? 'a document'} · Docwright`}</title>
      <PageKeys keys={keys} />
      <AppHeader full>
        <Link
          to="/documents/$documentId"
          params={{ documentId }}
          aria-label="Back to the document"
          className="inline-flex size-7 shrink-0 items-center justify-center rounded-md text-ink-soft hover:bg-hover"
        >
          <ArrowLeft aria-hidden className="size-4" />
        </Link>
        <h1 className="min-w-0 truncate text-base font-semibold">Split {document?.document_name}</h1>
      </AppHeader>
      {error !== null ? (
        <FailedPage
          error={error}
          retry={() => {
            void reading.refetch();
            void proposal.refetch();
          }}
        />
      ) : document && proposal.data ? (
        <Splitting key={documentId} document={document} proposed={proposal.data.parts} />
      ) : (
        <main className="flex flex-1 items-center justify-center text-ink-faint">
          <Spinner label="Looking for the documents in the file" />
        </main>
      )}
    </>
  );
}

function Splitting({ document, proposed }: { document: Document; proposed: SplitProposal['parts'] }) {
  const { orgId, canWrite } = useSession();
  const queryClient = useQueryClient();
  const pageCount = document.page_count ?? 1;
  const { parts, setParts, isChanged, restoreProposal } = useParts(document, proposed);
  const [sizes, setSizes] = useState(noPages);
  const [step, setStep] = useState(1);
  const [shownPage, setShownPage] = useState<{ page: number }>();
  const [result, setResult] = useState<SplitAnswer>();
  const splitting = useMutation({
    mutationFn: () => splitDocument(orgId, document.id, splitBodyOf(parts, pageCount)),
    onSuccess: async (answer) => {
      setResult(answer);
      await queryClient.invalidateQueries({ queryKey: ['documents', orgId] });
    },
  });
  const base = document.document_name.replace(/\.[^.]{1,5}$/u, '');
  const onToggle = (page: number) => setParts((before) => toggleStart(before, page, proposed, base));
  if (result) return <SplitResult documentId={document.id} result={result} onUndone={() => setResult(undefined)} />;
  const obstacle = obstacleOf(parts);
  const count = parts.filter(({ is_left_out }) => !is_left_out).length;
  return (
    <main className="flex min-h-0 flex-1 flex-col md:flex-row">
      <div className="flex min-h-0 min-w-0 flex-[3] flex-col">
        <div
          role="toolbar"
          aria-label="Pages"
          className="flex h-10 shrink-0 items-center gap-1 border-b border-line bg-surface px-3"
        >
          <p className="min-w-0 flex-1 truncate text-sm text-ink-soft">
            Click a page where a document begins. Drag a line to move it.
          </p>
          <IconButton label="Smaller pages" disabled={step === 0} onClick={() => setStep(step - 1)}>
            <ZoomOut className="size-4" />
          </IconButton>
          <IconButton label="Larger pages" disabled={step === widths.length - 1} onClick={() => setStep(step + 1)}>
            <ZoomIn className="size-4" />
          </IconButton>
          <IconButton label="Restore the proposed boundaries" disabled={!isChanged} onClick={restoreProposal}>
            <RotateCcw className="size-4" />
          </IconButton>
        </div>
        <PdfSheets fileUrl={filePath(orgId, document.id)} onPages={setSizes}>
          <SplitPages
            pages={sizes}
            parts={parts}
            width={widths[step]!}
            shownPage={shownPage}
            onToggle={onToggle}
            onMove={(from, to) => setParts((before) => moveStart(before, from, to, pageCount))}
          />
        </PdfSheets>
      </div>
      <section
        aria-label="Documents"
        className="flex min-h-0 flex-[2] flex-col border-line bg-surface max-md:border-t md:w-96 md:flex-none md:border-l"
      >
        <section {...scrolledByKeys} aria-label="List of the documents" className="min-h-0 flex-1 overflow-auto">
          <PartList
            parts={parts}
            proposed={proposed}
            pageCount={pageCount}
            onChange={(from, change) => setParts((before) => changePart(before, from, change))}
            onJoin={onToggle}
            onShow={(page) => setShownPage({ page })}
          />
        </section>
        <div className="flex flex-col gap-2 border-t border-line p-3">
          {splitting.isError && <Notice tone="bad">{messageOf(splitting.error)}</Notice>}
          <p className="text-xs text-ink-soft">
            {obstacle ?? 'The original stays. Text is carried over, so nothing is recognised again.'}
          </p>
          <Button
            look="primary"
            disabled={!canWrite || obstacle !== undefined || splitting.isPending}
            onClick={() => splitting.mutate()}
          >
            {splitting.isPending && <Spinner label="Splitting" />}
            {count === 1 ? 'Make one document' : `Make ${count} documents`}
          </Button>
        </div>
      </section>
    </main>
  );
}

/** The planned parts, stored in the browser until the documents are created. */
function useParts(document: Document, proposed: SplitProposal['parts']) {
  const [stored, store] = useStoredValue(`docwright.split.${document.id}`);
  const asProposed = proposedParts(proposed);
  const parts = readParts(stored, document.page_count ?? 1) ?? asProposed;
  return {
    parts,
    setParts: (change: (before: SplitPart[]) => SplitPart[]) => store(JSON.stringify(change(parts))),
    isChanged: JSON.stringify(parts) !== JSON.stringify(asProposed),
    restoreProposal: () => store(null),
  };
}
