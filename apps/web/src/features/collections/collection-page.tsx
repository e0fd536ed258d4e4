import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { collectionQuery, isIndexing, searchesKey } from '../../shared/api/collections-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { backLinkClass, Page, panelClass } from '../../shared/page/page.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import type { KeyHint } from '../../shared/ui/dialogs/page-keys.tsx';
import { CollectionActions } from './collection-actions.tsx';
import { CollectionFacts } from './collection-facts.tsx';
import { CollectionResults, useSearchAnswer } from './collection-results.tsx';
import { queryOf, readCollectionSearch, type CollectionSearch } from '../../shared/addresses/collection-search.ts';
import { collectionStateLabel, progressLabel } from './collection-labels.ts';
import { focusFirstHit } from './hit-list.tsx';
import { SearchField } from './search-field.tsx';
import { UpdateNotice } from './update-collection.tsx';
import type { Collection } from '@docwright/contract';

const route = getRouteApi('/collections/$collectionId');

const keys: KeyHint[] = [
  ['/', 'Search'],
  ['↑ ↓', 'Next or previous hit'],
  ['Enter', 'Open the hit at its place in the document'],
  ['Alt ↑ ↓', 'There: the hit before and after'],
];

const listLink = (
  <Link to="/collections" className={backLinkClass}>
    <ArrowLeft aria-hidden className="size-4" /> Collections
  </Link>
);

const focusField = () => document.querySelector<HTMLElement>('[data-search-collection]')?.focus();

export function CollectionPage() {
  const { collectionId } = route.useParams();
  const { orgId } = useSession();
  const asWritten = route.useSearch();
  // The router leaves beside what was read of an address whatever else stands in it, what makes no sense too.
  const search = useMemo(() => readCollectionSearch({ ...asWritten }), [asWritten]);
  const navigate = route.useNavigate();
  const asked = useQuery(collectionQuery(orgId, collectionId));
  const collection = asked.data;
  const finding = useSearchAnswer(collectionId, search);
  useFreshSearches(collectionId, collection && isIndexing(collection));
  const onSearch = useCallback(
    (next: CollectionSearch) => void navigate({ search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  const onText = useCallback(
    (q: string) =>
      void navigate({
        // Another search begins with the best hits again.
        search: (before) => {
          const { by } = readCollectionSearch({ ...before });
          return { ...(q === '' ? {} : { q }), ...(by === undefined ? {} : { by }) };
        },
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  if (collection === undefined) {
    return <LoadingPage title="Collection" back={listLink} error={asked.error} retry={() => void asked.refetch()} />;
  }
  return (
    <Page
      title={collection.name}
      back={listLink}
      keys={keys}
      note={
        <output className="flex min-h-5 flex-wrap items-center gap-x-2">
          <StateMark {...collectionStateLabel(collection)} />
          <span>{progressLabel(collection)}</span>
          {collection.failures.length > 0 && (
            <a href="#failures" className="text-accent underline underline-offset-2">
              Why
            </a>
          )}
        </output>
      }
      actions={<CollectionActions collection={collection} />}
    >
      <SearchField
        value={queryOf(search)}
        label={`Search ${collection.name}`}
        onSearch={onText}
        onDown={focusFirstHit}
        searching={finding.isFetching}
      />
      {isIndexing(collection) && <CollectionProgress collection={collection} />}
      <UpdateNotice collection={collection} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <CollectionResults collection={collection} search={search} onSearch={onSearch} onUp={focusField} />
        <CollectionFacts collection={collection} />
      </div>
    </Page>
  );
}

/** Once indexing has ended, what was found before may be less than there is. */
function useFreshSearches(collectionId: string, indexing: boolean | undefined) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const before = useRef(indexing);
  useEffect(() => {
    if (before.current === true && indexing === false) {
      void queryClient.invalidateQueries({ queryKey: searchesKey(orgId, collectionId) });
    }
    before.current = indexing;
  }, [indexing, orgId, collectionId, queryClient]);
}

/** How far indexing is: a line that only grows; the counts stand with the name. */
function CollectionProgress({ collection }: { collection: Collection }) {
  const { documents, waiting } = collection.progress;
  // Right after an update has begun, nobody knows yet how much there is to do.
  const isKnown = documents > 0 && waiting > 0;
  return (
    <div className={`${panelClass} flex flex-col gap-2 p-3`}>
      <progress
        aria-label="Documents that are indexed"
        max={1}
        value={isKnown ? (documents - waiting) / documents : undefined}
        className="block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent [&::-webkit-progress-value]:transition-[width]"
      />
      <p className="text-sm text-ink-soft">
        {!isKnown && 'Analyzing the source. '}What is indexed can be searched already.
      </p>
    </div>
  );
}
