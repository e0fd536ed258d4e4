import type { DocumentState } from '@docwright/contract';

/** What the list's address holds. */
export interface DocumentListSearch {
  q?: string;
  /** A state of the document, or `proposed` where its proposal waits. */
  state?: DocumentState | 'proposed';
  tag?: string;
  sort?: SortKey;
  /** Against the way that is usual for what is sorted by. */
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

/** Reads an address that anybody may have typed: what makes no sense is left out. */
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

/** The newest first; else from A and from the smallest. */
const usual = (key: SortKey) => (key === 'upload_date' ? 'desc' : 'asc');

/** What the list is sorted by, and which way. */
export function sortOf({ sort = 'upload_date', turned = false }: DocumentListSearch) {
  const turnedAround = usual(sort) === 'asc' ? 'desc' : 'asc';
  return { sort, order: turned ? turnedAround : usual(sort) } as const;
}

/** What of the documents the list shows. */
export const filterOf = ({ q, state, tag }: DocumentListSearch) => ({
  name_search: q,
  ...(state === 'proposed' ? { state: undefined, auto_create: state } : { state, auto_create: undefined }),
  tag_ids: tag === undefined ? undefined : [tag],
});

/** The search after a click on a column: another column, or the same one the other way round; from the first page. */
export function sortedBy(search: DocumentListSearch, key: SortKey): DocumentListSearch {
  const { sort = 'upload_date', turned = false, page: _page, turned: _turned, sort: _sort, ...rest } = search;
  const sorted = key === 'upload_date' ? rest : { ...rest, sort: key };
  return key === sort && !turned ? { ...sorted, turned: true } : sorted;
}
