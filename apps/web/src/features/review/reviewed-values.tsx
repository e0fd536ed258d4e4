import { ListChecks } from 'lucide-react';
import { useCallback, useState, Suspense } from 'react';
import { lazyPart } from '../../shared/ui/parts/lazy-part.tsx';
import { ReviewHeader } from './header/review-header.tsx';
import { DocumentsLink } from '../../shared/page/documents-link.tsx';
import { useSession } from '../../shared/session/session.tsx';
import { PageKeys, type KeyHint } from '../../shared/ui/dialogs/page-keys.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { RetryNotice } from '../../shared/ui/retry-notice.tsx';
import { Skeleton } from '../../shared/ui/skeleton.tsx';
import { ReviewPanel } from './review-panel.tsx';
import { useDesk, type DeskActions } from './use-desk.ts';
import type { QueueFilter } from './queue/review-queue.ts';
import { useReview, type ReviewGroup } from './queue/use-review.ts';
import type { Extraction } from '@docwright/contract';
import { useQuery } from '@tanstack/react-query';
import { documentQuery } from '../../shared/api/documents-api.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { FieldFocusContext } from '../../shared/values/field-focus.tsx';
import { PagePickContext, type PagePick } from '../../shared/values/page-pick.tsx';
import { useStoredValue } from '../../shared/ui/browser/stored-value.ts';
import { useMediaQuery } from '../../shared/ui/browser/use-media-query.ts';
import { useWindowKey } from '../../shared/ui/browser/use-window-key.ts';
import { counted } from '../../shared/formats/counted.ts';
import { Splitter } from '../../shared/ui/splitter.tsx';
import { CenteredSpinner } from '../../shared/ui/spinner.tsx';

const keys: readonly KeyHint[] = [
  ['Enter', 'Confirm the value'],
  ['e', 'Edit the value'],
  ['x', 'Clear the value'],
  ['u', 'Use the value for machines, or of the second read'],
  ['b', 'Take from the page: arrow keys, Shift extends, Enter takes; or drag a box'],
  ['t', 'Edit the rows of the table'],
  ['n', 'Pass over the value'],
  ['p', 'Previous value'],
  ['z', 'Open the last decision again'],
  ['v', 'Verify the document'],
];
const tableKeys: readonly KeyHint[] = [
  ['Arrows', 'In a table: from cell to cell'],
  ['Ctrl Enter', 'In a table: insert a row below'],
  ['Ctrl Del', 'In a table: delete the row'],
  ['Ctrl S', 'In a table: save'],
];

const panelWidths = { minimum: 360, standard: 528, maximum: 880 };

const typing = 'input, textarea, select, [contenteditable], [role="dialog"], [role="menu"]';

/** The keys of the page; inactive while the user types or edits a table, which has its own keys. */
function useDeskKeys(actions: DeskActions, isTable: boolean): void {
  useWindowKey((event) => {
    if (isTable || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(typing) || document.querySelector('[role="dialog"], [role="menu"]')) return;
    if (actions.takeKey(event)) {
      event.preventDefault();
      return;
    }
    // Enter activates a button or link that has the focus.
    if (event.key === 'Enter' && target?.closest('button:not([data-review]), a')) return;
    const action = actions.byKey[event.key.toLowerCase()];
    if (!action || (event.repeat && event.key !== 'n' && event.key !== 'p')) return;
    event.preventDefault();
    action();
  });
}

/** Shows the values to check, the riskiest first, each beside its place on the page; one key decides. */
export function ReviewedValues() {
  const { orgId } = useSession();
  const [filter, setFilter] = useState<QueueFilter>({});
  const review = useReview(orgId, filter);
  const desk = useDesk(review);
  useDeskKeys(desk.actions, desk.open?.kind === 'table');
  const { queue, groups, documents } = review;
  const [group, next] = groups;
  const isFiltered = Object.keys(filter).length > 0;
  const isWide = useMediaQuery('(min-width: 1024px)');
  const [storedWidth, storeWidth] = useStoredValue('docwright.review-width');
  const width = Number(storedWidth) || panelWidths.standard;
  // The next document waits for the first one: on a slow connection, both would take twice as long.
  const [isShown, setShown] = useState(false);
  const onShown = useCallback(() => setShown(true), []);
  const isEmpty = queue.data !== undefined && !group && !queue.isFetching;
  return (
    <>
      <title>Review · Docwright</title>
      <PageKeys keys={[...keys, ...tableKeys]} />
      <ReviewHeader>{documents > 0 && `${counted(documents, 'document')} with values to check`}</ReviewHeader>
      <main className="flex min-h-0 flex-1 flex-col">
        {queue.error && <RetryNotice error={queue.error} retry={() => void queue.refetch()} />}
        {queue.isPending && <Skeleton className="m-4 h-40" />}
        {isEmpty && !isFiltered && (
          <EmptyState icon={ListChecks} title="Nothing to check" actions={<DocumentsLink />}>
            Values of new extractions that may be wrong appear here, the riskiest first.
          </EmptyState>
        )}
        {(group || (isFiltered && queue.data)) && (
          <div className="flex min-h-0 flex-1 flex-col-reverse lg:flex-row short:flex-row">
            {/* One place in the tree at any width, so that typed text survives a narrower window. */}
            <div
              className={classNames('flex min-h-0 min-w-0', isWide ? 'shrink-0' : 'flex-1 short:w-1/2 short:flex-none')}
              style={isWide ? { width: `min(${width}px, 60vw)` } : undefined}
            >
              <ReviewPanel review={review} desk={desk} filter={filter} onFilter={setFilter} />
            </div>
            {isWide && (
              <Splitter
                label="Width of the panel"
                width={width}
                minimum={panelWidths.minimum}
                maximum={panelWidths.maximum}
                onResize={(next) => storeWidth(String(next))}
              />
            )}
            <div className="relative flex min-h-0 min-w-0 flex-1 max-lg:max-h-[45%] short:max-h-none">
              {[group, isShown ? next : undefined].map(
                (each, index) =>
                  each && (
                    <GroupPages
                      key={each.key}
                      group={each}
                      path={index === 0 ? desk.shownPath : each.items[0]?.path}
                      isShown={index === 0}
                      onShown={onShown}
                      places={index === 0 ? desk.places : undefined}
                      pick={desk.canWrite ? desk.pick : undefined}
                      onSelect={desk.select}
                    />
                  ),
              )}
            </div>
          </div>
        )}
      </main>
    </>
  );
}

const DocumentViewer = lazyPart(async () => ({
  default: (await import('../viewer/document-viewer.tsx')).DocumentViewer,
}));

interface GroupPagesProps {
  group: ReviewGroup;
  /** The value whose place is highlighted. */
  path: string | undefined;
  isShown: boolean;
  onShown: () => void;
  /** Places to mark beside those of the open values. */
  places: Extraction['grounding'] | undefined;
  pick: PagePick | undefined;
  onSelect: (path: string) => void;
}

/** The pages of one document. The next document is rendered hidden, so that it appears at once. */
function GroupPages({ group, path, isShown, onShown, places, pick, onSelect }: GroupPagesProps) {
  const { orgId } = useSession();
  const [hovered, hover] = useState<string>();
  const document = useQuery(documentQuery(orgId, group.about.document_id)).data;
  const open = group.items.flatMap(({ path: each, grounding: place }) => (place === null ? [] : [[each, place]]));
  const grounding = { ...places, ...Object.fromEntries(open) };
  const selection = path === undefined ? undefined : { path, ordinal: 1, wantsFocus: false };
  const focus = { selection, hovered, select: onSelect, showOnPage: onSelect, follow: onSelect, hover };
  return (
    <FieldFocusContext value={focus}>
      <div inert={!isShown} className={classNames('absolute inset-0 flex flex-col', !isShown && 'invisible')}>
        {document === undefined ? (
          <Loading />
        ) : (
          <Suspense fallback={<Loading />}>
            <PagePickContext value={pick && (isShown ? pick : { ...pick, box: undefined })}>
              <DocumentViewer document={document} grounding={grounding} onShown={onShown} />
            </PagePickContext>
          </Suspense>
        )}
      </div>
    </FieldFocusContext>
  );
}

function Loading() {
  return <CenteredSpinner label="Loading the document" />;
}
