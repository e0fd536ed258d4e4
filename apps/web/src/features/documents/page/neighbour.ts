import type { QueryClient } from '@tanstack/react-query';
import { documentListQuery } from '../../../shared/api/documents-api.ts';
import { filterOf, sortOf, type DocumentListSearch } from '../../../shared/addresses/document-search.ts';
import { storedListSearch } from '../stored-list-search.ts';

const pageSize = 100;
/** Documents further down are not searched. */
const maxDocuments = 1000;
/** Paging through documents quickly reuses one answer. */
const staleTime = 5000;

/**
 * The id of the document `step` places after this one in the list as last shown, or in the whole list if that one does not
 * contain it; undefined at the end of the list.
 */
export async function findNeighbour(
  queryClient: QueryClient,
  orgId: string,
  documentId: string,
  step: number,
): Promise<string | undefined> {
  /** Undefined if the list does not contain the document. */
  async function neighbourIn(search: DocumentListSearch): Promise<{ id: string | undefined } | undefined> {
    const ids: string[] = [];
    for (let skip = 0; skip < maxDocuments; skip += pageSize) {
      const query = documentListQuery(orgId, { ...filterOf(search), ...sortOf(search), skip, limit: pageSize });
      const { documents, total_count } = await queryClient.fetchQuery({ ...query, staleTime });
      ids.push(...documents.map(({ id }) => id));
      const place = ids.indexOf(documentId);
      const isWhole = documents.length === 0 || ids.length >= total_count;
      if (place >= 0 && (place + step < ids.length || isWhole)) return { id: ids[place + step] };
      if (isWhole) return undefined;
    }
    return undefined;
  }

  return ((await neighbourIn(storedListSearch())) ?? (await neighbourIn({})))?.id;
}
