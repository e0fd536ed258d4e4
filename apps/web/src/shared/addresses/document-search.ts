import type { DocumentSelection, DocumentState } from '@docwright/contract';

/** Query string of the document list. */
export interface DocumentListSearch {
  q?: string;
  /** A document state, or `proposed` for documents with a pending proposal. */
  state?: DocumentState | 'proposed';
  tag?: string;
  sort?: SortKey;
  /** Reverses the default order of `sort`. */
  turned?: boolean;
  /** From 1. */
  page?: number;
}

export const documentPageSize = 20;

const sortKeys = ['document_name', 'size_bytes', 'upload_date'] as const;
export type SortKey = (typeof sortKeys)[number];

const states = new Set<unknown>([
  'uploaded',
  'ocr_processing',
  'ocr_completed',
  'ocr_failed',
  'llm_processing',
  'llm_completed',
  'llm_failed',
  'proposed',
] satisfies NonNullable<DocumentListSearch['state']>[]);

/** Reads a query string that a user may have typed; invalid values are dropped. */
export function readDocumentListSearch(search: Record<string, unknown>): DocumentListSearch {
  const page = Number(search['page']);
  return {
    ...(typeof search['q'] === 'string' || typeof search['q'] === 'number' ? { q: String(search['q']) } : {}),
    ...(states.has(search['state']) ? { state: search['state'] as NonNullable<DocumentListSearch['state']> } : {}),
    ...(typeof search['tag'] === 'string' ? { tag: search['tag'] } : {}),
    ...(isSortKey(search['sort']) ? { sort: search['sort'] } : {}),
    ...(search['turned'] === true ? { turned: true } : {}),
    ...(Number.isInteger(page) && page > 1 ? { page } : {}),
  };
}

const isSortKey = (value: unknown): value is SortKey => sortKeys.some((key) => key === value);

/** Newest first; names from A, sizes from the smallest. */
const defaultOrder = (key: SortKey) => (key === 'upload_date' ? 'desc' : 'asc');

/** The sort key and order of a list. */
export function sortOf({ sort = 'upload_date', turned = false }: DocumentListSearch) {
  const usual = defaultOrder(sort);
  const reversed = usual === 'asc' ? 'desc' : 'asc';
  return { sort, order: turned ? reversed : usual } as const;
}

/** The list's filter, as parameters of the API. */
export const filterOf = ({ q, state, tag }: DocumentListSearch) => ({
  name_search: q,
  ...(state === 'proposed' ? { state: undefined, auto_create: state } : { state, auto_create: undefined }),
  tag_ids: tag === undefined ? undefined : [tag],
});

/** The search after a click on a column header: sorts by it, or reverses its order; back to the first page. */
export function sortedBy(search: DocumentListSearch, key: SortKey): DocumentListSearch {
  const { sort = 'upload_date', turned = false, page: _page, turned: _turned, sort: _sort, ...rest } = search;
  const sorted = key === 'upload_date' ? rest : { ...rest, sort: key };
  return key === sort && !turned ? { ...sorted, turned: true } : sorted;
}

/** The query as a selection for a bulk action. */
export function selectionQuery(search: DocumentListSearch): DocumentSelection {
  const { name_search, state, auto_create, tag_ids } = filterOf(search);
  return {
    ...sortOf(search),
    ...(name_search === undefined ? {} : { name_search }),
    ...(state === undefined ? {} : { state }),
    ...(auto_create === undefined ? {} : { auto_create }),
    ...(tag_ids === undefined ? {} : { tag_ids }),
  };
}
