import type { AcceptKindBody, KindDecision, Proposal } from '@docwright/contract';
import { hashKey, notifyManager, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { undoEntry } from '../../shared/api/audit-api.ts';
import { acceptKind, rejectKind, proposalQuery } from '../../shared/proposals/proposals-api.ts';
import { ApiError, messageOf } from '../../shared/http/api-error.ts';
import { useSession } from '../../shared/session/session.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { counted } from '../../shared/formats/counted.ts';

type KindToDecide = Pick<Proposal, 'id' | 'name'> & Partial<Pick<Proposal, 'documents'>>;

/** Accepts and rejects a kind, with Undo in the message; everything that shows the kind is loaded again. */
export function useKindDecisions({ id, name, documents = [] }: KindToDecide) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  /** The user has seen whose verified results a rejection removes. */
  const knowsOfVerified = useRef(false);
  const onError = async (error: Error) => {
    // The dialog shows it, and rejects when it is confirmed again.
    if (error instanceof VerifiedResultsError) return;
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
      mutationFn: async (document_ids: string[] | undefined) => {
        // Requests about an extraction that is about to be removed would fail.
        await queryClient.cancelQueries({ queryKey: ['extraction-review', orgId] });
        const body = {
          ...(document_ids !== undefined && { document_ids }),
          ...(knowsOfVerified.current && { including_verified: true }),
        };
        return await rejectKind(orgId, id, body).catch((error: unknown) => {
          if (!(error instanceof ApiError && error.code === 'proposal_verified')) throw error;
          knowsOfVerified.current = true;
          throw new VerifiedResultsError(error);
        });
      },
      ...shared,
    }),
  };
}

/** A rejection would remove results that users have verified. */
class VerifiedResultsError extends Error {
  constructor({ details }: ApiError) {
    const { documents = [], count = 0 } = (details ?? {}) as Partial<{
      documents: { document_name: string }[];
      count: number;
    }>;
    const names = documents.slice(0, 5).map(({ document_name }) => `“${document_name}”`);
    const more = count > names.length ? ` and ${count - names.length} more` : '';
    super(`Verified results would be removed: ${names.join(', ')}${more}. Confirm again to reject anyway.`);
  }
}

interface Decision {
  /** The kind. */
  id: string;
  /** The documents that were decided about. */
  document_ids: readonly string[];
}

/**
 * Invalidates everything that a decision may change. A kind whose documents are all decided no longer exists: what still
 * shows it must not load it again.
 */
export async function refreshAfterDecision(
  queryClient: QueryClient,
  orgId: string,
  decision?: Decision,
): Promise<void> {
  const goneKey = decision && goneKindKey(queryClient, orgId, decision);
  if (goneKey) await queryClient.invalidateQueries({ queryKey: goneKey, refetchType: 'none' });
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) =>
    !goneKey || hashKey(queryKey) !== hashKey(goneKey);
  const refresh = (keys: readonly string[]) =>
    Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key, orgId], predicate })));
  await refresh(['documents', 'extractions']);
  // A rejection removes extractions, and also the schema and prompt of a kind. What shows them disappears with the lists
  // above; only then are the others loaded, because the server would answer 404 for removed ones.
  await new Promise<void>((resolve) => notifyManager.schedule(resolve));
  await refresh(['proposals', 'prompts', 'schemas', 'tags', 'extraction-review']);
}

/** The key of the decided kind's query if all its documents are decided. */
function goneKindKey(queryClient: QueryClient, orgId: string, { id, document_ids }: Decision) {
  const { queryKey } = proposalQuery(orgId, id);
  const kind = queryClient.getQueryData(queryKey);
  return kind && document_ids.length >= kind.document_count ? queryKey : undefined;
}
