import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../http/api-error.ts';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from '../notice.tsx';

interface ConfirmDialogProps {
  title: string;
  description: string;
  /** Label of the button that runs it. */
  action: string;
  /** Default: that of a destructive action. */
  look?: 'primary' | 'danger';
  cancelLabel?: string;
  run: () => Promise<void>;
  onClose: () => void;
  /** Further options of the action. */
  children?: ReactNode;
}

/** Asks before an action that destroys or decides; shows the error if it fails. */
export function ConfirmDialog({
  title,
  description,
  action,
  look = 'danger',
  cancelLabel = 'Cancel',
  run,
  onClose,
  children,
}: ConfirmDialogProps) {
  const running = useMutation({ mutationFn: run, onSuccess: onClose });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={title} description={description}>
      {children}
      {running.isError && <Notice tone="bad">{messageOf(running.error)}</Notice>}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>{running.isError ? 'Close' : cancelLabel}</Button>
        <Button look={look} disabled={running.isPending} onClick={() => running.mutate()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
