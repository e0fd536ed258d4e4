import type { Collection } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Square, Trash2 } from 'lucide-react';
import { useState } from 'react';
import {
  collectionQuery,
  collectionsKey,
  deleteCollection,
  isIndexing,
  stopIndexing,
} from '../../shared/api/collections-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { MenuItem } from '../../shared/ui/menu.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { ActionsMenu } from '../../shared/ui/actions-menu.tsx';

/** Buttons to stop indexing and to delete the collection. */
export function CollectionActions({ collection }: { collection: Collection }) {
  const { orgId, canWrite } = useSession();
  const { id, name, progress } = collection;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const [asking, setAsking] = useState<'stop' | 'delete'>();
  const close = () => setAsking(undefined);
  if (!canWrite) return null;
  const remove = async () => {
    await deleteCollection(orgId, id);
    toast(`“${name}” was deleted.`);
    await navigate({ to: '/collections' });
    queryClient.removeQueries({ queryKey: collectionQuery(orgId, id).queryKey });
    await queryClient.invalidateQueries({ queryKey: [...collectionsKey(orgId), 'list'] });
  };
  return (
    <>
      {isIndexing(collection) && (
        <Button look="danger" onClick={() => setAsking('stop')}>
          <Square aria-hidden className="size-3.5" /> Stop…
        </Button>
      )}
      <ActionsMenu of={name} className="size-8">
        <MenuItem danger onSelect={() => setAsking('delete')}>
          <Trash2 aria-hidden /> Delete…
        </MenuItem>
      </ActionsMenu>
      {asking === 'stop' && (
        <ConfirmDialog
          title="Stop indexing?"
          description={`${progress.waiting === 1 ? 'One document is' : `${progress.waiting.toLocaleString()} documents are`} not indexed yet. Indexed documents stay searchable.`}
          action="Stop it"
          cancelLabel="Let it continue"
          run={async () => {
            queryClient.setQueryData(collectionQuery(orgId, id).queryKey, await stopIndexing(orgId, id));
          }}
          onClose={close}
        />
      )}
      {asking === 'delete' && (
        <ConfirmDialog
          title={`Delete “${name}”?`}
          description="This permanently deletes the index, and links to its searches stop working. Documents and extractions are kept."
          action="Delete"
          run={remove}
          onClose={close}
        />
      )}
    </>
  );
}
