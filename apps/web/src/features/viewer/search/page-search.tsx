import { useQuery } from '@tanstack/react-query';
import { createContext, use, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { documentTextQuery } from '../../../shared/api/documents-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { findAll, foldText } from './search-text.ts';

export interface PageHit {
  pageNumber: number;
  /** Index of the hit on its page. */
  ordinal: number;
  /** Offsets in the page's text. */
  start: number;
  end: number;
}

/** A search in the text of a document, including recognized scans. */
export interface PageSearch {
  documentId: string;
  isOpen: boolean;
  query: string;
  /** The query of the hits, which can be behind `query`. */
  searched: string;
  hits: PageHit[];
  hitsByPage: Map<number, PageHit[]>;
  /** The current hit; a new object for each step, so that the only hit is scrolled to again. */
  active: (PageHit & { steps: number }) | undefined;
  index: number;
  /** Whether the text is loaded. */
  isReady: boolean;
  setQuery: (query: string) => void;
  /** Goes to the next or previous hit, and from the last to the first. */
  step: (direction: 1 | -1) => void;
  show: () => void;
  close: () => void;
}

const noPages: never[] = [];

export function usePageSearch(documentId: string, currentPage: number): PageSearch {
  const { orgId } = useSession();
  const [isOpen, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState({ query: '', index: 0, steps: 0 });
  const text = useQuery({ ...documentTextQuery(orgId, documentId), enabled: isOpen });
  const pages = text.data?.pages ?? noPages;
  const folded = useMemo(() => pages.map((page) => ({ number: page.page_num, text: foldText(page.text) })), [pages]);
  const searched = useDeferredValue(isOpen ? query : '');
  const hits = useMemo(
    () =>
      folded.flatMap(({ number, text: page }) =>
        findAll(page, searched).map((place, ordinal): PageHit => ({ pageNumber: number, ordinal, ...place })),
      ),
    [folded, searched],
  );
  const hitsByPage = useMemo(() => Map.groupBy(hits, (hit) => hit.pageNumber), [hits]);
  // A new search starts at the current page.
  const [startPage, setStartPage] = useState(1);
  const first = Math.max(
    0,
    hits.findIndex((hit) => hit.pageNumber >= startPage),
  );
  const index = chosen.query === searched ? chosen.index : first;

  const hit = hits[index];
  const { steps } = chosen;
  const active = useMemo(() => (hit ? { ...hit, steps } : undefined), [hit, steps]);

  const changeQuery = useCallback(
    (next: string) => {
      setStartPage(currentPage);
      setQuery(next);
    },
    [currentPage],
  );
  const step = useCallback(
    (direction: 1 | -1) => {
      if (hits.length === 0) return;
      setChosen((last) => ({
        query: searched,
        index: (index + direction + hits.length) % hits.length,
        steps: last.steps + 1,
      }));
    },
    [hits, searched, index],
  );
  const show = useCallback(() => setOpen(true), []);
  const close = useCallback(() => setOpen(false), []);
  return useMemo(
    () => ({
      documentId,
      isOpen,
      query,
      searched,
      hits,
      hitsByPage,
      active,
      index,
      isReady: text.isSuccess,
      setQuery: changeQuery,
      step,
      show,
      close,
    }),
    [
      documentId,
      isOpen,
      query,
      searched,
      hits,
      hitsByPage,
      active,
      index,
      text.isSuccess,
      changeQuery,
      step,
      show,
      close,
    ],
  );
}

export const PageSearchContext = createContext<PageSearch | undefined>(undefined);

export const usePageSearchContext = () => use(PageSearchContext);
