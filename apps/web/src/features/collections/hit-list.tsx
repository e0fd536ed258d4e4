import type { Collection, SearchAnswer } from '@docwright/contract';
import { useEffect, useMemo, useRef, type KeyboardEvent } from 'react';
import { panelClass } from '../../shared/page/page.tsx';
import type { CollectionPageSearch } from '../../shared/addresses/collection-search.ts';
import { HitItem } from './hit-item.tsx';
import { hitKey, hitsByDocument } from './hits.ts';
import { takeLastHit } from './last-hit.ts';
import { counted } from '../../shared/formats/counted.ts';

interface HitListProps {
  answer: SearchAnswer;
  collection: Collection;
  search: CollectionPageSearch;
  /** Whether these are the hits of the previous search, while the next one loads. */
  isStale: boolean;
  /** Called on the up arrow at the first hit. */
  onUp: () => void;
}

const linksIn = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[data-hit-key]')];

/** Focuses the first hit, if there is one. */
export function focusFirstHit(): void {
  document.querySelector<HTMLElement>('[data-hit-key]')?.focus();
}

/** The hits, best first or by document; arrow keys move between them. */
export function HitList({ answer: { results, mode }, collection, search, isStale, onUp }: HitListProps) {
  const list = useRef<HTMLElement>(null);
  const collectionId = collection.id;
  const hybrid = mode === 'hybrid';
  const groups = useMemo(() => hitsByDocument(results), [results]);

  useEffect(() => {
    // Back from a document, the focus returns to its hit.
    const key = takeLastHit(collectionId);
    if (document.activeElement !== document.body) return;
    const link = list.current && linksIn(list.current).find((candidate) => candidate.dataset['hitKey'] === key);
    link?.focus({ preventScroll: true });
    link?.scrollIntoView({ block: 'center' });
  }, [collectionId]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || !list.current) return;
    const links = linksIn(list.current);
    const index = links.findIndex((link) => link === document.activeElement);
    const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: links.length - 1 }[event.key];
    if (next === undefined || index < 0) return;
    event.preventDefault();
    if (next < 0) onUp();
    else links[next]?.focus();
  };

  const shared = { collection, search, hybrid, onKeyDown };
  return (
    <section
      ref={list}
      aria-label="Hits"
      aria-busy={isStale}
      className={`flex flex-col gap-3 transition-opacity ${isStale ? 'opacity-70' : ''}`}
    >
      {search.by === 'document' ? (
        groups.map(({ document_id, document_name, hits }) => (
          <section key={document_id} aria-label={document_name} className={panelClass}>
            <div className="flex items-baseline justify-between gap-3 border-b border-line px-3 py-2 md:px-4">
              <h2 className="min-w-0 text-base font-semibold wrap-anywhere">{document_name}</h2>
              <span className="text-xs whitespace-nowrap text-ink-soft">{counted(hits.length, 'hit')}</span>
            </div>
            <ol className="divide-y divide-line">
              {hits.map((hit) => (
                <li key={hitKey(hit)}>
                  <HitItem hit={hit} grouped {...shared} />
                </li>
              ))}
            </ol>
          </section>
        ))
      ) : (
        <ol className={`${panelClass} divide-y divide-line overflow-hidden`}>
          {results.map((hit) => (
            <li key={hitKey(hit)}>
              <HitItem hit={hit} grouped={false} {...shared} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
