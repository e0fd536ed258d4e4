import type { DocumentRouting, DocumentSelection, DocumentStage } from '@docwright/contract';

/** Query string of the document list. */
export interface DocumentListSearch {
  q?: string;
  /** What comes next for the documents. */
  state?: DocumentStage;
  tag?: string;
  /** Where routes took it. */
  routing?: DocumentRouting['state'];
  /** Besides the current documents those that were replaced, or only those whose file is gone. */
  versions?: 'all' | 'missing';
  sort?: SortKey;
  /** Reverses the default order of `sort`. */
  turned?: boolean;
  /** From 1. */
  page?: number;
}

export const documentPageSize = 20;

const sortKeys = ['document_name', 'size_bytes', 'upload_date'] as const;
export type SortKey = (typeof sortKeys)[number];

/** Listed here, so that the first page loads no schemas; the type demands each stage. */
const everyStage: Record<DocumentStage, true> = {
  reading: true,
  ready: true,
  proposal: true,
  needs_you: true,
  verified: true,
  released: true,
};
const stages = new Set<unknown>(Object.keys(everyStage));

const everyRouting: Record<DocumentRouting['state'], true> = {
  routed: true,
  unsure: true,
  none: true,
  waiting_split: true,
};
const isRouting = (value: unknown): value is DocumentRouting['state'] =>
  typeof value === 'string' && Object.hasOwn(everyRouting, value);

/** Addresses that were saved before name a state of processing or `proposed`. */
const formerStages: Readonly<Record<string, DocumentStage>> = {
  uploaded: 'reading',
  ocr_processing: 'reading',
  llm_processing: 'reading',
  ocr_completed: 'ready',
  llm_completed: 'ready',
  ocr_failed: 'needs_you',
  llm_failed: 'needs_you',
  proposed: 'proposal',
};

function stageOf(state: unknown): DocumentStage | undefined {
  if (stages.has(state)) return state as DocumentStage;
  return typeof state === 'string' && Object.hasOwn(formerStages, state) ? formerStages[state] : undefined;
}

/** Reads a query string that a user may have typed; invalid values are dropped. */
export function readDocumentListSearch(search: Record<string, unknown>): DocumentListSearch {
  const page = Number(search['page']);
  const state = stageOf(search['state']);
  return {
    ...(typeof search['q'] === 'string' || typeof search['q'] === 'number' ? { q: String(search['q']) } : {}),
    ...(state === undefined ? {} : { state }),
    ...(typeof search['tag'] === 'string' ? { tag: search['tag'] } : {}),
    ...(isRouting(search['routing']) ? { routing: search['routing'] } : {}),
    ...(search['versions'] === 'all' || search['versions'] === 'missing' ? { versions: search['versions'] } : {}),
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
export const filterOf = ({ q, state, tag, routing, versions }: DocumentListSearch) => ({
  name_search: q,
  stage: state,
  tag_ids: tag === undefined ? undefined : [tag],
  routing,
  ...(versions === 'all' && { include_replaced: true as const }),
  ...(versions === 'missing' && { missing: true as const }),
});

/** One page of the list, as parameters of the API. */
export const listPageOf = (search: DocumentListSearch) => ({
  ...filterOf(search),
  ...sortOf(search),
  skip: ((search.page ?? 1) - 1) * documentPageSize,
  limit: documentPageSize,
});

/** The search after a click on a column header: sorts by it, or reverses its order; back to the first page. */
export function sortedBy(search: DocumentListSearch, key: SortKey): DocumentListSearch {
  const { sort = 'upload_date', turned = false, page: _page, turned: _turned, sort: _sort, ...rest } = search;
  const sorted = key === 'upload_date' ? rest : { ...rest, sort: key };
  return key === sort && !turned ? { ...sorted, turned: true } : sorted;
}

/** The query as a selection for a bulk action. */
export function selectionQuery(search: DocumentListSearch): DocumentSelection {
  const { name_search, stage, tag_ids, routing, ...versions } = filterOf(search);
  return {
    ...sortOf(search),
    ...versions,
    ...(name_search === undefined ? {} : { name_search }),
    ...(stage === undefined ? {} : { stage }),
    ...(tag_ids === undefined ? {} : { tag_ids }),
    ...(routing === undefined ? {} : { routing }),
  };
}
