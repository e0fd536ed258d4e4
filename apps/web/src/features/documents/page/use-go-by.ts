import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
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
