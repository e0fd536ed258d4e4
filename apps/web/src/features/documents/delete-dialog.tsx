import type { Document } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '../../shared/http/api-error.ts';
import { deleteDocument } from '../../shared/api/documents-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { useToast } from '../../shared/ui/toasts.tsx';

interface DeleteDialogProps {
  document: Document;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteDialog({ document, onClose, onDeleted }: DeleteDialogProps) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const toast = useToast();
  const deleting = useMutation({
    mutationFn: () => deleteDocument(orgId, document.id),
    onSuccess: async () => {
      toast(`“${document.document_name}” is in the trash.`);
      onClose();
      onDeleted?.();
      await queryClient.invalidateQueries({ queryKey: ['documents', orgId, 'list'] });
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete “${document.document_name}”?`}
      description="It moves to the trash for 30 days, with its extractions and conversations."
    >
      {deleting.isError && <Notice tone="bad">{messageOf(deleting.error)}</Notice>}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" disabled={deleting.isPending} onClick={() => deleting.mutate()}>
          Delete
        </Button>
      </div>
    </Dialog>
  );
}
