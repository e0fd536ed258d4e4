import type { Document } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../../shared/http/api-error.ts';
import { acceptProposal, documentQuery, rejectProposal, startAutoCreate } from '../../../shared/api/documents-api.ts';
import { useSession } from '../../../shared/session/session.tsx';
import { useToast } from '../../../shared/ui/toasts.tsx';

/** Accepting, rejecting and asking again; whatever is shown of it is read anew. */
export function useProposalActions(documentId: string) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const refresh = async () => {
    const keys = [
      ['documents', orgId],
      ['extractions', orgId, documentId],
      ['prompts', orgId],
      ['schemas', orgId],
    ];
    await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  };
  const show = async (document: Document) => {
    queryClient.setQueryData(documentQuery(orgId, documentId).queryKey, document);
    await refresh();
  };
  const onError = async (error: Error) => {
    toast(messageOf(error), 'bad');
    await refresh();
  };
  return {
    accept: useMutation({
      mutationFn: (tagId: string | undefined) => acceptProposal(orgId, documentId, tagId),
      onSuccess: async (document) => {
        toast('Accepted: the prompt is an ordinary one now.');
        await show(document);
      },
      onError,
    }),
    reject: useMutation({ mutationFn: () => rejectProposal(orgId, documentId), onSuccess: show }),
    start: useMutation({ mutationFn: () => startAutoCreate(orgId, documentId), onSuccess: show, onError }),
  };
}
