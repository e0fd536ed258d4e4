import type { Tag } from '@docwright/contract';
import { useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteTag, tagsKey } from '../../shared/api/tags-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { ConfirmDialog } from '../../shared/ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';
import { TagDialog } from './tag-dialog.tsx';

export function TagActions({ tag }: { tag: Tag }) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [dialog, setDialog] = useState<'edit' | 'delete'>();
  const close = () => setDialog(undefined);
  return (
    <span className="inline-flex gap-1">
      <IconButton label={`Edit ${tag.name}`} onClick={() => setDialog('edit')}>
        <Pencil className="size-3.5" />
      </IconButton>
      <IconButton label={`Delete ${tag.name}`} onClick={() => setDialog('delete')}>
        <Trash2 className="size-3.5" />
      </IconButton>
      {dialog === 'edit' && <TagDialog tag={tag} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete “${tag.name}”?`}
          description="Only a tag that no document and no prompt carries can go."
          action="Delete"
          keep="Keep it"
          run={async () => {
            await deleteTag(orgId, tag.tag_id);
            toast(`“${tag.name}” is deleted.`);
            await queryClient.invalidateQueries({ queryKey: tagsKey(orgId) });
          }}
          onClose={close}
        />
      )}
    </span>
  );
}
