import type { Collection } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { messageOf } from '../../shared/http/api-error.ts';
import { collectionQuery, updateCollection } from '../../shared/api/collections-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { Spinner } from '../../shared/ui/spinner.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { sourceChangeLabel } from './collection-labels.ts';
import { counted } from '../../shared/formats/counted.ts';

/** Indexes changes of the source and retries failed documents. */
export function UpdateButton({ id, label }: { id: string; label: string }) {
  const { orgId, canWrite } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const one = collectionQuery(orgId, id).queryKey;
  const updating = useMutation({
    mutationFn: () => updateCollection(orgId, id),
    onSuccess: (collection) => queryClient.setQueryData(one, collection),
    onError: async (error) => {
      toast(messageOf(error), 'bad');
      await queryClient.invalidateQueries({ queryKey: one });
    },
  });
  if (!canWrite) return null;
  return (
    <Button size="small" disabled={updating.isPending} onClick={() => updating.mutate()}>
      {updating.isPending ? <Spinner /> : <RefreshCw aria-hidden className="size-3.5" />} {label}
    </Button>
  );
}

/** Names the changes of the source that are not indexed, with a button to index them. */
export function UpdateNotice({ collection: { id, status, progress, changes } }: { collection: Collection }) {
  const remaining = status === 'stopped' ? progress.waiting : 0;
  const label = changes && sourceChangeLabel(changes);
  if (label === undefined && remaining === 0) return null;
  return (
    <Notice actions={<UpdateButton id={id} label={remaining > 0 ? 'Continue' : 'Update'} />}>
      {remaining > 0 && `Indexing was stopped: ${counted(remaining, 'document')} not searchable yet. `}
      {label}
    </Notice>
  );
}
