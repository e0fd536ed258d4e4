import type { AcceptKindBody, KindDecision, Proposal } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { acceptKind, refreshAfterDecision, rejectKind } from '../../shared/proposals/proposals-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { useSession } from '../../shared/session/session.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';

/** Decisions on a kind; everything that shows it is refetched. */
export function useKindDecisions({ id, name }: Pick<Proposal, 'id' | 'name'>) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const shared = {
    onSuccess: async ({ status, document_ids }: KindDecision) => {
      const verb = status === 'accepted' ? 'Accepted' : 'Rejected';
      toast(`${verb} “${name}” for ${countOf(document_ids.length)}.`);
      await refreshAfterDecision(queryClient, orgId);
    },
    onError: async (error: Error) => {
      toast(messageOf(error), 'bad');
      await refreshAfterDecision(queryClient, orgId);
    },
  };
  return {
    accept: useMutation({ mutationFn: (body: AcceptKindBody) => acceptKind(orgId, id, body), ...shared }),
    reject: useMutation({
      mutationFn: (document_ids: string[] | undefined) =>
        rejectKind(orgId, id, document_ids === undefined ? {} : { document_ids }),
      ...shared,
    }),
  };
}

export const countOf = (documents: number): string => (documents === 1 ? '1 document' : `${documents} documents`);
