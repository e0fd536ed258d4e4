import type { Document } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../api/api-error.ts';
import { patchDocument } from '../api/documents-api.ts';
import { useSession } from '../identity/session.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/text-field.tsx';

interface DocumentDialogProps {
  document: Document;
  onClose: () => void;
}

export function RenameDialog({ document, onClose }: DocumentDialogProps) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const [name, setName] = useState(document.document_name);
  const renaming = useMutation({
    mutationFn: () => patchDocument(orgId, document.id, { document_name: name.trim() }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ['documents', orgId] });
      onClose();
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    renaming.mutate();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Rename document">
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <TextField
          label="Name"
          value={name}
          maxLength={255}
          required
          error={renaming.isError ? messageOf(renaming.error) : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={renaming.isPending || name.trim() === ''}>
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
