import { ChevronDown, ChevronUp, Search, X } from 'lucide-react';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { PageSearch } from './page-search.tsx';
import { useWindowKey } from '../../../shared/ui/browser/use-window-key.ts';

/**
 * Opens the search with Ctrl+F anywhere on the page. In the search field, Ctrl+F opens the browser's own search.
 */
export function useSearchKey(search: PageSearch, viewer: HTMLElement | null) {
  useWindowKey((event) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'f';
    // A hidden viewer ignores the key, and so does the viewer below a dialog.
    if (!isShortcut || !viewer || viewer.clientHeight === 0 || document.querySelector('[role="dialog"]')) return;
    const field = document.querySelector<HTMLInputElement>('[data-search-field]');
    if (field && field === document.activeElement) return;
    event.preventDefault();
    search.show();
    field?.select();
    field?.focus();
  });
}

/** The search field; floats over the pages, so that nothing moves when it opens. */
export function SearchBar({ search, onLeave }: { search: PageSearch; onLeave: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const { isOpen } = search;
  useEffect(() => {
    if (!isOpen) return;
    field.current?.focus();
    field.current?.select();
  }, [isOpen]);
  if (!isOpen) return null;
  const closeSearch = () => {
    search.close();
    onLeave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') search.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') closeSearch();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="absolute top-2 right-4 left-4 z-20 ml-auto flex h-10 max-w-96 items-center gap-1 rounded-md border border-line bg-raised pr-1 pl-2.5 shadow-float">
      <Search aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <input
        ref={field}
        data-search-field
        aria-label="Search in the document"
        placeholder="Search in the document"
        value={search.query}
        onChange={(event) => search.setQuery(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-7 min-w-0 flex-1 bg-transparent px-1 text-base outline-none placeholder:text-ink-faint"
      />
      <output className="shrink-0 text-xs whitespace-nowrap text-ink-soft tabular-nums">{countLabel(search)}</output>
      <IconButton
        label="Previous hit"
        hint="Shift Enter"
        disabled={search.hits.length === 0}
        onClick={() => search.step(-1)}
      >
        <ChevronUp className="size-4" />
      </IconButton>
      <IconButton label="Next hit" hint="Enter" disabled={search.hits.length === 0} onClick={() => search.step(1)}>
        <ChevronDown className="size-4" />
      </IconButton>
      <IconButton label="Close the search" hint="Esc" onClick={closeSearch}>
        <X className="size-4" />
      </IconButton>
    </search>
  );
}

function countLabel({ query, isReady, hits, index }: PageSearch): string {
  if (query.trim() === '') return '';
  if (!isReady) return '…';
  if (hits.length === 0) return 'Not found';
  return `${index + 1} of ${hits.length}`;
}
