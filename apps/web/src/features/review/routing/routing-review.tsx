import type { Document, Route } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Signpost } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../shared/ui/parts/lazy-part.tsx';
import { routesQuery } from '../../../shared/api/arrival/routes-api.ts';
import { counted } from '../../../shared/formats/counted.ts';
import { DocumentsLink } from '../../../shared/page/documents-link.tsx';
import { useSession } from '../../../shared/session/session.tsx';
import { useWindowKey } from '../../../shared/ui/browser/use-window-key.ts';
import { PageKeys, type KeyHint } from '../../../shared/ui/dialogs/page-keys.tsx';
import { EmptyState } from '../../../shared/ui/empty-state.tsx';
import { RetryNotice } from '../../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../../shared/ui/skeleton.tsx';
import { CenteredSpinner } from '../../../shared/ui/spinner.tsx';
import { FieldFocusContext, type FieldFocus } from '../../../shared/values/field-focus.tsx';
import { ReviewHeader } from '../header/review-header.tsx';
import { choicesOf } from './routing-choices.ts';
import { RoutingPanel } from './routing-panel.tsx';
import { useRoutingQueue } from './use-routing-queue.ts';

const DocumentViewer = lazyPart(async () => ({
  default: (await import('../../viewer/document-viewer.tsx')).DocumentViewer,
}));

const keys: readonly KeyHint[] = [
  ['1 – 9', 'Take this route'],
  ['0', 'No route'],
  ['s', 'Show where its documents begin, to split it'],
  ['n', 'Pass over the document'],
  ['p', 'Previous document'],
  ['z', 'Undo the last decision'],
];
const noRoutes: Route[] = [];
const typing = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]';

/** Shows the documents whose route or split is not sure, each beside its pages; one key decides. */
export function RoutingReview() {
  const { orgId, canWrite } = useSession();
  const navigate = useNavigate();
  const routes = useQuery(routesQuery(orgId)).data ?? noRoutes;
  const review = useRoutingQueue(orgId);
  const [place, setPlace] = useState(0);
  const { queue, documents } = review;
  const at = Math.min(place, Math.max(0, documents.length - 1));
  const document: Document | undefined = documents[at];
  const choices = document ? choicesOf(document, routes) : [];
  const split = () =>
    document && void navigate({ to: '/documents/$documentId/split', params: { documentId: document.id } });
  const decide = (routeId: string | null) => document && canWrite && void review.decide(document, routeId);
  const moveTo = (to: number) => setPlace(Math.max(0, Math.min(documents.length - 1, to)));
  useWindowKey((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(typing) || window.document.querySelector('[role="dialog"], [role="menu"]')) return;
    const choice = choices.find(({ key }) => key === event.key);
    const actions: Record<string, (() => void) | undefined> = {
      n: () => moveTo(at + 1),
      p: () => moveTo(at - 1),
      z: review.undoLast && (() => void review.undoLast?.()),
      ...(document?.routing?.state === 'waiting_split' && { s: split }),
    };
    const action = choice ? () => decide(choice.routeId) : actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
  return (
    <>
      <title>Review of routes · Docwright</title>
      <PageKeys keys={keys} />
      <ReviewHeader>{review.left > 0 && `${counted(review.left, 'document')} without a sure route`}</ReviewHeader>
      <main className="flex min-h-0 flex-1 flex-col">
        {queue.error && <RetryNotice error={queue.error} retry={() => void queue.refetch()} />}
        {queue.isPending && <Skeleton className="m-4 h-40" />}
        {queue.data && !document && review.done === 0 && (
          <EmptyState icon={Signpost} title="No route waits for you" actions={<DocumentsLink />}>
            Documents appear here when a route by likeness or description is not sure, or when a mixed scan is not split
            for certain.
          </EmptyState>
        )}
        {queue.data && (document || review.done > 0) && (
          <div className="flex min-h-0 flex-1 flex-col-reverse lg:flex-row short:flex-row">
            <RoutingPanel
              review={review}
              document={document}
              routes={routes}
              choices={choices}
              onDecide={decide}
              onSplit={split}
              onMove={(by) => moveTo(at + by)}
            />
            <div className="relative flex min-h-0 min-w-0 flex-1 max-lg:max-h-[45%] short:max-h-none">
              {document && (
                <FieldFocusContext value={noFocus}>
                  <Suspense fallback={<CenteredSpinner label="Loading the document" />}>
                    <DocumentViewer key={document.id} document={document} grounding={noPlaces} />
                  </Suspense>
                </FieldFocusContext>
              )}
            </div>
          </div>
        )}
      </main>
    </>
  );
}

/** Pages are shown without values. */
const noPlaces = {};
const ignore = () => undefined;
const noFocus: FieldFocus = {
  selection: undefined,
  hovered: undefined,
  select: ignore,
  showOnPage: ignore,
  follow: ignore,
  hover: ignore,
};
