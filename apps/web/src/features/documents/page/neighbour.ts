import type { QueryClient } from '@tanstack/react-query';
import { documentListQuery } from '../../../shared/api/documents-api.ts';
import { filterOf, sortOf, type DocumentListSearch } from '../../../shared/addresses/document-search.ts';
import { leftList } from '../left-list.ts';

const atOnce = 100;
/** As far as a list is gone through. */
const farthest = 1000;
/** Somebody who leafs through asks once. */
const staleTime = 5000;

/**
 * The id of the document `step` places after this one in the list as it was left, or in the whole list where that one does not hold
 * it; undefined at the end of the list.
 */
export async function findNeighbour(
  queryClient: QueryClient,
  orgId: string,
  documentId: string,
  step: number,
): Promise<string | undefined> {
  /** Undefined where the list does not hold the document. */
  async function neighbourIn(search: DocumentListSearch): Promise<{ id: string | undefined } | undefined> {
    const ids: string[] = [];
    for (let skip = 0; skip < farthest; skip += atOnce) {
      const query = documentListQuery(orgId, { ...filterOf(search), ...sortOf(search), skip, limit: atOnce });
      const { documents, total_count } = await queryClient.fetchQuery({ ...query, staleTime });
      ids.push(...documents.map(({ id }) => id));
      const place = ids.indexOf(documentId);
      const isWhole = documents.length === 0 || ids.length >= total_count;
      if (place >= 0 && (place + step < ids.length || isWhole)) return { id: ids[place + step] };
      if (isWhole) return undefined;
    }
    return undefined;
  }

  return ((await neighbourIn(leftList())) ?? (await neighbourIn({})))?.id;
}
