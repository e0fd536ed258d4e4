import type { Document, EvaluationDifference, Extraction } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { Suspense, useCallback, useMemo, useState } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { documentQuery } from '../../../shared/api/documents-api.ts';
import { documentDifferencesQuery } from '../../../shared/api/evaluations-api.ts';
import { extractionsQuery } from '../../../shared/api/extractions-api.ts';
import { afterMark } from '../../../shared/evaluation/after-mark.ts';
import { FieldFocusContext, type FieldFocus, type FieldSelection } from '../../../shared/values/field-focus.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { AppHeader } from '../../../shared/page/app-header.tsx';
import { FailedPage } from '../../../shared/page/failed-page.tsx';
import { DocumentViewer, PassageContext, type PassageMatches, type LinkedPassage } from '../../viewer/index.ts';
import { classNames } from '../../../shared/ui/class-names.ts';
import { ErrorBoundary } from '../../../shared/ui/parts/error-boundary.tsx';
import { Splitter } from '../../../shared/ui/splitter.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { useStoredValue } from '../../../shared/ui/browser/stored-value.ts';
import { useMediaQuery } from '../../../shared/ui/browser/use-media-query.ts';
import {
  readDocumentAddress,
  tabOf,
  type DocumentAddress,
  type DocumentTab,
  type PassageAddress,
} from '../../../shared/addresses/document-address.ts';
import { DocumentHeader } from './document-header.tsx';
import { DocumentKeys } from './document-keys.tsx';
import { DocumentNotes } from './document-notes.tsx';
import { DocumentPanel } from './document-panel.tsx';
import { useDocumentEvents } from './use-document-events.ts';
import { textLinkClass } from '../../../shared/ui/text-link.ts';

const HitBar = lazyPart(async () => ({ default: (await import('../../collections/hit-bar.tsx')).HitBar }));

const ComparedBar = lazyPart(async () => ({ default: (await import('./compared-bar.tsx')).ComparedBar }));

const route = getRouteApi('/documents/$documentId');
const panelWidths = { minimum: 320, standard: 460, maximum: 880 };
const noGrounding = {};

export function DocumentPage() {
  const { documentId } = route.useParams();
  const { orgId } = useSession();
  const address = useAddress();
  const document = useQuery(documentQuery(orgId, documentId));
  if (document.data) return <ShownDocument key={documentId} document={document.data} />;
  return (
    <>
      <AppHeader full>
        <Link to="/" className={`${textLinkClass} text-sm`}>
          Documents
        </Link>
      </AppHeader>
      <CollectionHits documentId={documentId} address={address} />
      {document.isError ? (
        <FailedPage error={document.error} retry={() => void document.refetch()} />
      ) : (
        <main className="flex flex-1 items-center justify-center text-ink-faint">
          <Spinner label="Loading the document" />
        </main>
      )}
    </>
  );
}

/** Leads to the other hits of the collection search that opened the document, and back to it. */
function CollectionHits({
  documentId,
  address: { collection, ...rest },
  onFound,
}: {
  documentId: string;
  address: DocumentAddress;
  onFound?: (found: PassageMatches) => void;
}) {
  if (collection === undefined) return null;
  return (
    <div className="flex h-9 shrink-0 items-center border-b border-line bg-surface px-2 md:px-3">
      <ErrorBoundary renderFallback={() => null}>
        <Suspense>
          <HitBar documentId={documentId} address={{ ...rest, collection }} {...(onFound ? { onFound } : {})} />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}

/** The router passes unknown and invalid parameters on, so that the URL is read again here. */
function useAddress(): DocumentAddress {
  const search = route.useSearch();
  return useMemo(() => readDocumentAddress({ ...search }), [search]);
}

function ShownDocument({ document }: { document: Document }) {
  const { orgId } = useSession();
  const address = useAddress();
  const navigate = route.useNavigate();
  useDocumentEvents(document.id);
  const wide = useMediaQuery('(min-width: 768px)');
  const extractions = useQuery(extractionsQuery(orgId, document.id)).data?.extractions;
  const extraction = extractions?.find(({ prompt_revid }) => prompt_revid === address.prompt) ?? extractions?.[0];
  const { history } = useRouter();
  const change = useCallback(
    (patch: DocumentAddress) => {
      // While the next page loads, the panel can still find its conversation: that must not lead back.
      if (history.location.pathname !== `/documents/${document.id}`) return;
      void navigate({ search: (present) => ({ ...present, ...patch }), replace: true });
    },
    [document.id, history, navigate],
  );
  const focus = useAddressFocus(address, wide, change);
  const { passage, onFound } = useAddressPassage(address);
  const [storedWidth, storeWidth] = useStoredValue('docwright.panel-width');
  const width = Number(storedWidth) || panelWidths.standard;
  const difference = useDifference(document.id, address);
  const grounding = useMemo(
    () => withBothPlaces(extraction?.grounding ?? noGrounding, difference),
    [extraction, difference],
  );
  const viewer = (
    <PassageContext value={passage}>
      <DocumentViewer document={document} grounding={grounding} />
    </PassageContext>
  );
  const panel = (
    <DocumentPanel
      document={document}
      extractions={extractions}
      extraction={extraction}
      address={address}
      onAddress={change}
      page={wide ? undefined : viewer}
    />
  );

  return (
    <FieldFocusContext value={focus}>
      <DocumentKeys documentId={document.id} />
      <DocumentHeader document={document} />
      <DocumentNotes document={document} />
      <CollectionHits documentId={document.id} address={address} onFound={onFound} />
      {difference && address.evaluation !== undefined && (
        <Suspense>
          <ComparedBar
            evaluationId={address.evaluation}
            difference={difference}
            onClose={() => change({ evaluation: undefined })}
          />
        </Suspense>
      )}
      <main className="flex min-h-0 flex-1">
        {/* The panel has one place in the tree at any width, so that typed text survives a narrower window. */}
        <div
          className={classNames('flex min-w-0 bg-surface', wide ? 'shrink-0' : 'flex-1')}
          style={wide ? { width: `min(${width}px, 60vw)` } : undefined}
        >
          {panel}
        </div>
        {wide && (
          <>
            <Splitter
              label="Width of the panel"
              width={width}
              minimum={panelWidths.minimum}
              maximum={panelWidths.maximum}
              onResize={(next) => storeWidth(String(next))}
            />
            <div className="flex min-w-0 flex-1 flex-col">{viewer}</div>
          </>
        )}
      </main>
    </FieldFocusContext>
  );
}

/** How the selected field differs in the evaluation of the URL. */
function useDifference(documentId: string, { evaluation, field }: DocumentAddress): EvaluationDifference | undefined {
  const { orgId } = useSession();
  const query = documentDifferencesQuery(orgId, evaluation ?? '', documentId);
  const { data } = useQuery({ ...query, enabled: evaluation !== undefined });
  return evaluation === undefined ? undefined : data?.differences.find(({ path }) => path === field);
}

/** Adds the places of the verified value and of the value after the change. */
function withBothPlaces(
  grounding: Extraction['grounding'],
  difference: EvaluationDifference | undefined,
): Extraction['grounding'] {
  if (difference === undefined) return grounding;
  const { path, grounding: verified, after_grounding: after } = difference;
  return {
    ...grounding,
    ...(verified && { [path]: verified }),
    ...(after && { [afterMark(path)]: after }),
  };
}

/** The tab to show with a selected field: in a narrow window page and values take turns. */
function nextTab(tab: DocumentTab, wide: boolean): DocumentTab {
  if (!wide) return tab === 'page' ? 'extraction' : 'page';
  return tab === 'forms' ? 'forms' : 'extraction';
}

/** The selected field is part of the URL; in a narrow window selecting a field opens the page. */
function useAddressFocus(
  address: DocumentAddress,
  wide: boolean,
  change: (patch: DocumentAddress) => void,
): FieldFocus {
  const { field } = address;
  const tab = tabOf(address, !wide);
  const [hovered, hover] = useState<string>();
  // The URL follows a moment later; focus and highlight do not wait for it.
  const [selection, setSelection] = useState(() => selectionOf(field));
  const [seenField, setSeenField] = useState(field);
  if (field !== seenField) {
    setSeenField(field);
    if (field !== selection?.path) setSelection(selectionOf(field, selection));
  }
  const select = useCallback(
    (path: string) => {
      setSelection((last) => selectionOf(path, last, true));
      change({ field: path, tab: nextTab(tab, wide) });
    },
    [change, tab, wide],
  );
  const showOnPage = useCallback(
    (path: string) => {
      setSelection((last) => selectionOf(path, last));
      change({ field: path, ...(wide ? {} : { tab: 'page' as const }) });
    },
    [change, wide],
  );
  const follow = useCallback(
    (path: string) => {
      if (wide) showOnPage(path);
    },
    [showOnPage, wide],
  );
  return useMemo(
    () => ({ selection, hovered, select, showOnPage, follow, hover }),
    [selection, hovered, select, showOnPage, follow],
  );
}

function selectionOf(path: string | undefined, last?: FieldSelection, wantsFocus = false): FieldSelection | undefined {
  return path === undefined ? undefined : { path, ordinal: (last?.ordinal ?? 0) + 1, wantsFocus };
}

const nothingFound: PassageMatches = { matches: [], text: undefined };

interface AddressPassage {
  /** Undefined if the URL names no page. */
  passage: LinkedPassage | undefined;
  /** Receives what the search found at the place. */
  onFound: (found: PassageMatches) => void;
}

/** The passage that the document's URL names. */
function useAddressPassage({ page, start, end, collection, q }: PassageAddress): AddressPassage {
  const place = JSON.stringify([page, start, end, collection, q]);
  const [answer, setAnswer] = useState({ place: '', found: nothingFound });
  const current = answer.place === place ? answer.found : undefined;
  const found = collection === undefined ? nothingFound : current;
  const passage = useMemo(
    () =>
      page === undefined
        ? undefined
        : { page, range: start === undefined || end === undefined ? undefined : { start, end }, found },
    [page, start, end, found],
  );
  const onFound = useCallback((next: PassageMatches) => setAnswer({ place, found: next }), [place]);
  return useMemo(() => ({ passage, onFound }), [passage, onFound]);
}
