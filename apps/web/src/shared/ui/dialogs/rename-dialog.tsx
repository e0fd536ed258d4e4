import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { messageOf } from '../../http/api-error.ts';
import { seenState } from '../../http/seen-state.ts';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from '../fields/text-field.tsx';

interface RenameDialogProps {
  title: string;
  name: string;
  maxLength: number;
  help?: string;
  /** Reads the name that is stored now: saving replaces none that the user has not seen. */
  present: () => Promise<string | undefined>;
  /** @param former the name that it replaces */
  rename: (name: string, former: string | undefined) => Promise<unknown>;
  onClose: () => void;
}

export function RenameDialog({ title, name: current, maxLength, help, present, rename, onClose }: RenameDialogProps) {
  const [name, setName] = useState(current);
  const [seen] = useState(() => seenState<{ name?: string | undefined }>({ name: current }));
  const renaming = useMutation({
    mutationFn: async () => {
      const next = { name: name.trim() };
      const now = { name: await present() };
      seen.check(next, now);
      await rename(next.name, now.name);
    },
    onSuccess: onClose,
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    renaming.mutate();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <TextField
          label="Name"
          value={name}
          maxLength={maxLength}
          required
          help={help}
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
