import type { Source } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteSource, sourcesKey } from '../../shared/api/sources-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';

export function DeleteSource({ source: { id, name } }: { source: Source }) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    await deleteSource(orgId, id);
    toast('The source is deleted.');
    await queryClient.invalidateQueries({ queryKey: sourcesKey(orgId) });
  };
  return (
    <>
      <IconButton label={`Delete ${name}`} onClick={() => setAsking(true)}>
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
      {asking && (
        <ConfirmDialog
          title={`Delete “${name}”?`}
          description="Its documents stay, and so do collections that were made of it. Open setups with this source cannot go on."
          action="Delete"
          keep="Keep it"
          run={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
