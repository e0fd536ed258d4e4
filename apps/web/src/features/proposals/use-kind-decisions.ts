import type { AcceptKindBody, KindDecision, Proposal } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { undoEntry } from '../../shared/api/audit-api.ts';
import { acceptKind, refreshAfterDecision, rejectKind } from '../../shared/proposals/proposals-api.ts';
import { messageOf } from '../../shared/http/api-error.ts';
import { useSession } from '../../shared/session/session.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { counted } from '../../shared/formats/counted.ts';

type KindToDecide = Pick<Proposal, 'id' | 'name'> & Partial<Pick<Proposal, 'documents'>>;

/** Accepts and rejects a kind, with Undo in the message; everything that shows the kind is loaded again. */
export function useKindDecisions({ id, name, documents = [] }: KindToDecide) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const onError = async (error: Error) => {
    toast(messageOf(error), 'bad');
    await refreshAfterDecision(queryClient, orgId);
  };
  const undo = useMutation({
    mutationFn: (entryId: string) => undoEntry(orgId, entryId),
    onSuccess: async () => {
      toast(`“${name}” waits for a decision again.`);
      await refreshAfterDecision(queryClient, orgId);
    },
    onError,
  });
  const shared = {
    onSuccess: async ({ status, document_ids, entry_id }: KindDecision) => {
      const verb = status === 'accepted' ? 'Accepted' : 'Rejected';
      const way = entry_id === undefined ? undefined : { label: 'Undo', run: () => undo.mutate(entry_id) };
      const decided = new Set(document_ids);
      const toCheck = documents
        .filter(({ document_id }) => status === 'accepted' && decided.has(document_id))
        .reduce((sum, { to_check = 0 }) => sum + to_check, 0);
      const inReview = toCheck === 0 ? '' : ` ${toCheck === 1 ? '1 value is' : `${toCheck} values are`} in Review.`;
      toast(`${verb} “${name}” for ${counted(document_ids.length, 'document')}.${inReview}`, 'plain', way);
      await refreshAfterDecision(queryClient, orgId, { id, document_ids });
    },
    onError,
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
