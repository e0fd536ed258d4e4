import { useQuery } from '@tanstack/react-query';
import type { Document, DocumentSelection } from '@docwright/contract';
import { documentListQuery, type DocumentSearch } from '../../../shared/api/documents-api.ts';

/** Every document that the list's query finds, on this page and all others. */
export interface AllMatching {
  query: DocumentSelection;
  /** As the list showed it: the server refuses where another number matches. */
  count: number;
}

/** The documents selected for a bulk action, over several pages, each as last seen. */
export interface Selection {
  documents: ReadonlyMap<string, Document>;
  /** The document selected or deselected last, where a range starts. */
  anchor: string | undefined;
  /** Set instead of single documents. */
  matching?: AllMatching;
}

export const nothingSelected: Selection = { documents: new Map(), anchor: undefined };

export function toggled({ documents }: Selection, document: Document): Selection {
  const next = new Map(documents);
  if (!next.delete(document.id)) next.set(document.id, document);
  return { documents: next, anchor: document.id };
}

/** Selects all of the page from the anchor to `document`; without an anchor on the page, that one alone. */
export function extended(selection: Selection, page: readonly Document[], document: Document): Selection {
  const from = page.findIndex(({ id }) => id === selection.anchor);
  const to = page.findIndex(({ id }) => id === document.id);
  const range = from < 0 ? [document] : page.slice(Math.min(from, to), Math.max(from, to) + 1);
  return {
    documents: new Map([...selection.documents, ...range.map((each): [string, Document] => [each.id, each])]),
    anchor: from < 0 ? document.id : selection.anchor,
  };
}

export function withAll({ documents, anchor }: Selection, more: readonly Document[]): Selection {
  return { documents: new Map([...documents, ...more.map((each): [string, Document] => [each.id, each])]), anchor };
}

export function withoutAll({ documents }: Selection, some: readonly Pick<Document, 'id'>[]): Selection {
  const removed = new Set(some.map(({ id }) => id));
  return { documents: new Map([...documents].filter(([id]) => !removed.has(id))), anchor: undefined };
}

/** Replaces selected documents by their newer versions on a page. */
export function refreshed(selection: Selection, page: readonly Document[]): Selection {
  const newer = page.filter((document) => {
    const known = selection.documents.get(document.id);
    return known !== undefined && known !== document;
  });
  if (newer.length === 0) return selection;
  return { ...withAll(selection, newer), ...(selection.matching && { matching: selection.matching }) };
}

/** How many documents match, exactly, also of a list that says only that there are more; undefined without a list. */
export function useMatchingCount(
  orgId: string,
  filter: Omit<DocumentSearch, 'skip' | 'limit'>,
  list: { total_count: number; total_is_minimum?: true | undefined } | undefined,
): number | undefined {
  const isLong = list?.total_is_minimum === true;
  const exact = useQuery({
    ...documentListQuery(orgId, { ...filter, skip: 0, limit: 1, exact_count: true }),
    enabled: isLong,
  });
  return (isLong ? exact.data : list)?.total_count;
}
