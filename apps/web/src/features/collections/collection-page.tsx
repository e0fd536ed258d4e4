import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { collectionQuery, isIndexing, searchesKey } from '../../shared/api/collections-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Page, panelClass, BackLink } from '../../shared/page/page.tsx';
import { LoadingPage } from '../../shared/page/loading-page.tsx';
import { StateMark } from '../../shared/labels/state-mark.tsx';
import type { KeyHint } from '../../shared/ui/dialogs/page-keys.tsx';
import { CollectionActions } from './collection-actions.tsx';
import { CollectionFacts } from './collection-facts.tsx';
import { CollectionResults, useSearchAnswer } from './collection-results.tsx';
import { queryOf, readCollectionSearch, type CollectionPageSearch } from '../../shared/addresses/collection-search.ts';
import { collectionStateLabel, progressLabel } from './collection-labels.ts';
import { focusFirstHit } from './hit-list.tsx';
import { SearchField } from './search-field.tsx';
import { UpdateNotice } from './update-collection.tsx';
import type { Collection } from '@docwright/contract';
import { ProgressBar } from '../../shared/ui/progress-bar.tsx';
import { linkButtonClass } from '../../shared/ui/button.tsx';
import { textLinkClass } from '../../shared/ui/text-link.ts';

const route = getRouteApi('/collections/$collectionId');

const keys: KeyHint[] = [
  ['/', 'Search'],
  ['↑ ↓', 'Next or previous hit'],
  ['Enter', 'Open the hit in its document'],
  ['Alt ↑ ↓', 'In the document: next or previous hit'],
];

const focusField = () => document.querySelector<HTMLElement>('[data-search-collection]')?.focus();

export function CollectionPage() {
  const { collectionId } = route.useParams();
  const { orgId } = useSession();
  const rawSearch = route.useSearch();
  // The router keeps invalid and unknown parameters beside the validated ones.
  const search = useMemo(() => readCollectionSearch({ ...rawSearch }), [rawSearch]);
  const navigate = route.useNavigate();
  const loading = useQuery(collectionQuery(orgId, collectionId));
  const collection = loading.data;
  const searching = useSearchAnswer(collectionId, search);
  useSearchRefresh(collectionId, collection && isIndexing(collection));
  const onSearch = useCallback(
    (next: CollectionPageSearch) => void navigate({ search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  const onText = useCallback(
    (q: string) =>
      void navigate({
        // A new query starts with the fewest hits again.
        search: (present) => {
          const { by } = readCollectionSearch({ ...present });
          return { ...(q === '' ? {} : { q }), ...(by === undefined ? {} : { by }) };
        },
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  if (collection === undefined) {
    return (
      <LoadingPage
        title="Collection"
        back={<BackLink to="/collections">Collections</BackLink>}
        error={loading.error}
        retry={() => void loading.refetch()}
      />
    );
  }
  return (
    <Page
      title={collection.name}
      back={<BackLink to="/collections">Collections</BackLink>}
      keys={keys}
      note={
        <output className="flex min-h-5 flex-wrap items-center gap-x-2">
          <StateMark {...collectionStateLabel(collection)} />
          <span>{progressLabel(collection)}</span>
          {collection.failures.length > 0 && (
            <a href="#failures" className={textLinkClass}>
              Why
            </a>
          )}
        </output>
      }
      actions={
        <>
          <Link to="/ask" search={{ collection: collection.id }} className={linkButtonClass('secondary')}>
            Ask
          </Link>
          <CollectionActions collection={collection} />
        </>
      }
    >
      <SearchField
        value={queryOf(search)}
        label={`Search ${collection.name}`}
        onSearch={onText}
        onDown={focusFirstHit}
        searching={searching.isFetching}
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

/** Repeats searches when indexing finishes: earlier answers may lack hits. */
function useSearchRefresh(collectionId: string, indexing: boolean | undefined) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const wasIndexing = useRef(indexing);
  useEffect(() => {
    if (wasIndexing.current === true && indexing === false) {
      void queryClient.invalidateQueries({ queryKey: searchesKey(orgId, collectionId) });
    }
    wasIndexing.current = indexing;
  }, [indexing, orgId, collectionId, queryClient]);
}

/** A progress bar of indexing; the page's note shows the counts. */
function CollectionProgress({ collection }: { collection: Collection }) {
  const { documents, waiting } = collection.progress;
  // Right after an update has started, the number of documents is unknown.
  const isKnown = documents > 0 && waiting > 0;
  return (
    <div className={`${panelClass} flex flex-col gap-2 p-3`}>
      <ProgressBar label="Indexed documents" max={1} value={isKnown ? (documents - waiting) / documents : undefined} />
      <p className="text-sm text-ink-soft">
        {!isKnown && 'Analyzing the source. '}You can already search indexed documents.
      </p>
    </div>
  );
}
