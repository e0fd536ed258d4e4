import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { documentListKey } from '../../../shared/api/documents-api.ts';
import { extractionsQuery } from '../../../shared/api/extractions-api.ts';
import { messageOf } from '../../../shared/http/api-error.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { useToast } from '../../../shared/ui/toasts.tsx';

const route = getRouteApi('/documents/$documentId');

/** Returns a function that opens the document `step` places after this one in the list, on the same tab. */
export function useGoBy(documentId: string): (step: 1 | -1) => Promise<void> {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { tab } = route.useSearch();
  const toast = useToast();
  return async (step) => {
    try {
      const { findNeighbour } = await import('./neighbour.ts');
      const next = await findNeighbour(queryClient, orgId, documentId, step);
      if (next === undefined) {
        toast(step > 0 ? 'This is the last document of the list.' : 'This is the first document of the list.');
        return;
      }
      await navigate({
        to: '/documents/$documentId',
        params: { documentId: next },
        search: tab === undefined ? {} : { tab },
      });
    } catch (error) {
      toast(messageOf(error), 'bad');
    }
  };
}

/** Whether the document is the first or the last one of the list; neither until the list is read. */
export function useIsAtEnd(documentId: string): { isFirst: boolean; isLast: boolean } {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const { isSuccess } = useQuery(extractionsQuery(orgId, documentId));
  const { data } = useQuery({
    queryKey: [...documentListKey(orgId), 'ends', documentId],
    queryFn: async () => {
      const { findNeighbour } = await import('./neighbour.ts');
      const previous = await findNeighbour(queryClient, orgId, documentId, -1);
      const next = await findNeighbour(queryClient, orgId, documentId, 1);
      return { isFirst: previous === undefined, isLast: next === undefined };
    },
    // The page comes first, then what it only needs to leave it.
    enabled: isSuccess,
  });
  return data ?? { isFirst: false, isLast: false };
}
