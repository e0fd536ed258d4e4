import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { ApiError } from '../../shared/http/api-error.ts';
import { collectionQuery, collectionSearchQuery } from '../../shared/api/collections-api.ts';
import type { PassageAddress } from '../../shared/addresses/document-address.ts';
import { useSession } from '../../shared/session/session.tsx';
import type { PassageMatches } from '../viewer/index.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { queryOf, topOf, type CollectionPageSearch } from '../../shared/addresses/collection-search.ts';
import { addressOfHit, hitAt, inDisplayOrder } from './hits.ts';
import { storeLastHit } from './last-hit.ts';
import { useWindowKey } from '../../shared/ui/browser/use-window-key.ts';

interface HitBarProps {
  documentId: string;
  address: PassageAddress & { collection: string };
  /** Receives the text and marks of the hit. */
  onFound?: (found: PassageMatches) => void;
}

const typing = 'input, textarea, select, [contenteditable]';

/** Shown above a document opened from a search: the hit's number, links to its neighbours and back to the results. */
export function HitBar({ documentId, address, onFound }: HitBarProps) {
  const { orgId } = useSession();
  const navigate = useNavigate();
  const { collection: collectionId, q, top, by } = address;
  const search = useMemo<CollectionPageSearch>(
    () => ({
      ...(q === undefined ? {} : { q }),
      ...(top === undefined ? {} : { top }),
      ...(by === undefined ? {} : { by }),
    }),
    [q, top, by],
  );
  const collection = useQuery({ ...collectionQuery(orgId, collectionId), refetchInterval: false }).data;
  const searching = useQuery(
    collectionSearchQuery(orgId, collectionId, { query: queryOf(search), top_k: topOf(search) }),
  );
  const hits = useMemo(() => inDisplayOrder(searching.data?.results ?? [], search), [searching.data, search]);
  const index = hitAt(hits, documentId, address);
  const hit = hits[index];

  const { isFetched } = searching;
  useEffect(() => {
    if (hit) storeLastHit(collectionId, hit);
    if (!hit && !isFetched) return;
    const { start: from = 0, matches = [], text } = hit ?? {};
    onFound?.({ text, matches: matches.map(({ start, end }) => ({ start: from + start, end: from + end })) });
  }, [hit, isFetched, collectionId, onFound]);

  const go = (to: number) => {
    const next = hits[to];
    if (!next || !collection) return;
    void navigate({
      to: '/documents/$documentId',
      params: { documentId: next.document_id },
      search: addressOfHit(next, collection, search),
      replace: true,
    });
  };
  useWindowKey((event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const target = event.target instanceof Element ? event.target : null;
    if (step === undefined || !event.altKey || event.ctrlKey || event.shiftKey || event.metaKey) return;
    if (target?.closest(typing) || document.querySelector('[role="dialog"]')) return;
    event.preventDefault();
    go(index + step);
  });

  const leave = () =>
    void navigate({ to: '/documents/$documentId', params: { documentId }, search: {}, replace: true });
  return (
    <section aria-label="Search of a collection" className="flex min-w-0 flex-1 items-center gap-2 text-sm">
      <Link
        to="/collections/$collectionId"
        params={{ collectionId }}
        search={search}
        className="inline-flex h-7 shrink-0 items-center gap-1 rounded-md px-1.5 font-medium text-accent hover:bg-hover"
      >
        <ArrowLeft aria-hidden className="size-4" /> Results
      </Link>
      <output className="flex min-w-0 flex-1 items-baseline gap-1 text-ink-soft">
        <span className="shrink-0 tabular-nums">{placeLabel(hits.length, index, searching.error)}</span>
        {q !== undefined && (
          <span className="min-w-0 truncate max-sm:hidden">
            for <span className="text-ink">“{q}”</span>
          </span>
        )}
        {collection && <span className="min-w-0 truncate max-md:hidden">in {collection.name}</span>}
      </output>
      <IconButton label="Previous hit" hint="Alt ↑" disabled={index <= 0} onClick={() => go(index - 1)}>
        <ChevronUp className="size-4" />
      </IconButton>
      <IconButton label="Next hit" hint="Alt ↓" disabled={index >= hits.length - 1} onClick={() => go(index + 1)}>
        <ChevronDown className="size-4" />
      </IconButton>
      <IconButton label="Close the search results" onClick={leave}>
        <X className="size-4" />
      </IconButton>
    </section>
  );
}

function placeLabel(count: number, index: number, error: Error | null): string {
  if (error instanceof ApiError && error.status === 404) return 'This collection was deleted.';
  if (error) return 'Could not repeat the search';
  if (count === 0) return 'Search';
  return index < 0 ? `None of the ${count} hits` : `Hit ${index + 1} of ${count}`;
}
