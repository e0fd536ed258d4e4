import type { Collection, SearchHit } from '@docwright/contract';
import { Link } from '@tanstack/react-router';
import { useMemo, type KeyboardEvent } from 'react';
import type { CollectionPageSearch } from '../../shared/addresses/collection-search.ts';
import { foundBy, placeOfHit } from './collection-labels.ts';
import { addressOfHit, hitKey } from './hits.ts';
import { snippetOf } from '../../shared/formats/snippet.ts';

interface HitItemProps {
  hit: SearchHit;
  collection: Collection;
  search: CollectionPageSearch;
  /** Whether the hits are grouped below the document's name. */
  grouped: boolean;
  /** Whether the search uses keywords and meaning. */
  hybrid: boolean;
  /** Moves the focus to other hits. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/** A hit; the whole item links to its place in the document. */
export function HitItem({ hit, collection, search, grouped, hybrid, onKeyDown }: HitItemProps) {
  const parts = useMemo(() => snippetOf(hit.text, hit.matches), [hit.text, hit.matches]);
  const place = placeOfHit(hit);
  const Heading = grouped ? 'h3' : 'h2';
  return (
    <article className="relative flex flex-col gap-1 px-3 py-2.5 transition-colors focus-within:bg-hover hover:bg-hover md:px-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Heading className="min-w-0 text-base">
          <Link
            to="/documents/$documentId"
            params={{ documentId: hit.document_id }}
            search={addressOfHit(hit, collection, search)}
            data-hit-key={hitKey(hit)}
            onKeyDown={onKeyDown}
            className="rounded-sm font-medium wrap-anywhere after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {grouped ? place : hit.document_name}
          </Link>
        </Heading>
        <p className="text-xs whitespace-nowrap text-ink-faint tabular-nums">
          {[grouped ? undefined : place, hybrid ? foundBy(hit) : undefined].filter(Boolean).join(' · ')}
        </p>
      </div>
      {hit.heading !== undefined && hit.heading.trim() !== '' && (
        <p className="truncate text-sm text-ink-soft">{hit.heading}</p>
      )}
      <p className="line-clamp-4 text-sm text-ink-soft wrap-anywhere md:line-clamp-3">
        {parts.map(({ text, marked }, index) =>
          marked ? (
            <mark key={index} className="rounded-[2px] bg-hit font-medium text-ink">
              {text}
            </mark>
          ) : (
            text
          ),
        )}
      </p>
    </article>
  );
}
