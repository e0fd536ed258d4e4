import { useQuery } from '@tanstack/react-query';
import { createContext, use, useCallback, useDeferredValue, useMemo, useState } from 'react';
import { documentTextQuery } from '../../../shared/api/documents-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { findAll, foldText } from './search-text.ts';

export interface SearchHit {
  pageNumber: number;
  /** Counts from 0 within its page. */
  ordinal: number;
  /** Offsets in the text of its page. */
  start: number;
  end: number;
}

/** A search through all that the server has read of a document, scans included. */
export interface PageSearch {
  documentId: string;
  open: boolean;
  query: string;
  /** What the hits are of; follows `query` as fast as it can be searched. */
  searched: string;
  hits: SearchHit[];
  hitsByPage: Map<number, SearchHit[]>;
  /** Which hit the reader is at; a new object for each step, so that the same one is shown again. */
  active: (SearchHit & { steps: number }) | undefined;
  index: number;
  /** Whether the text is there to be searched. */
  ready: boolean;
  setQuery: (query: string) => void;
  /** Goes to the next hit or the one before, around the end. */
  step: (direction: 1 | -1) => void;
  show: () => void;
  close: () => void;
}

const noPages: never[] = [];

export function usePageSearch(documentId: string, currentPage: number): PageSearch {
  const { orgId } = useSession();
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState({ query: '', index: 0, steps: 0 });
  const text = useQuery({ ...documentTextQuery(orgId, documentId), enabled: open });
  const pages = text.data?.pages ?? noPages;
  const folded = useMemo(() => pages.map((page) => ({ number: page.page_num, text: foldText(page.text) })), [pages]);
  const searched = useDeferredValue(open ? query : '');
  const hits = useMemo(
    () =>
      folded.flatMap(({ number, text: page }) =>
        findAll(page, searched).map((place, ordinal): SearchHit => ({ pageNumber: number, ordinal, ...place })),
      ),
    [folded, searched],
  );
  const hitsByPage = useMemo(() => Map.groupBy(hits, (hit) => hit.pageNumber), [hits]);
  // A new search begins where the reader is.
  const [from, setFrom] = useState(1);
  const first = Math.max(
    0,
    hits.findIndex((hit) => hit.pageNumber >= from),
  );
  const index = chosen.query === searched ? chosen.index : first;

  const hit = hits[index];
  const { steps } = chosen;
  const active = useMemo(() => (hit ? { ...hit, steps } : undefined), [hit, steps]);

  const type = useCallback(
    (next: string) => {
      setFrom(currentPage);
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
      open,
      query,
      searched,
      hits,
      hitsByPage,
      active,
      index,
      ready: text.isSuccess,
      setQuery: type,
      step,
      show,
      close,
    }),
    [documentId, open, query, searched, hits, hitsByPage, active, index, text.isSuccess, type, step, show, close],
  );
}

export const PageSearchContext = createContext<PageSearch | undefined>(undefined);

export const usePageSearchContext = () => use(PageSearchContext);
