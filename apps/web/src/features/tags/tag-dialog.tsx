import type { Tag } from '@docwright/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../shared/http/api-error.ts';
import { saveTag, tagsKey } from '../../shared/api/tags-api.ts';
import { useSession } from '../../shared/session/session.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { TextAreaField } from '../../shared/ui/fields/text-area-field.tsx';
import { TextField } from '../../shared/ui/fields/text-field.tsx';
import { ColorChoice } from './color-choice.tsx';
import { tagColors } from './tag-colors.ts';

interface TagDialogProps {
  /** Left out: a new one. */
  tag?: Tag;
  onClose: () => void;
}

export function TagDialog({ tag, onClose }: TagDialogProps) {
  const { orgId } = useSession();
  const queryClient = useQueryClient();
  const initialColor = tag?.color ?? tagColors[7]!.value;
  const [name, setName] = useState(tag?.name ?? '');
  const [color, setColor] = useState(initialColor);
  const [description, setDescription] = useState(tag?.description ?? '');
  const saving = useMutation({
    mutationFn: () => saveTag(orgId, tag?.tag_id, { name: name.trim(), color, description: description.trim() }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: tagsKey(orgId) });
      onClose();
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    saving.mutate();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={tag === undefined ? 'New tag' : 'Edit tag'}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <TextField
          label="Name"
          required
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <ColorChoice value={color} initial={initialColor} onChange={setColor} />
        <TextAreaField
          label="Description"
          rows={3}
          maxLength={2000}
          value={description}
          help="When to use it: people and the agent read this."
          onChange={(event) => setDescription(event.target.value)}
        />
        {saving.isError && <Notice tone="bad">{messageOf(saving.error)}</Notice>}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={saving.isPending || name.trim() === ''}>
            {tag === undefined ? 'Create' : 'Save'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
