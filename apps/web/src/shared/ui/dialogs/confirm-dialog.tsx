import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from '../../http/api-error.ts';
import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import { Notice } from '../notice.tsx';

interface ConfirmDialogProps {
  title: string;
  description: string;
  /** What the button says that does it. */
  action: string;
  /** What the other one says. */
  keep?: string;
  run: () => Promise<void>;
  onClose: () => void;
  /** What can be chosen along with it. */
  children?: ReactNode;
}

/** Asks before something goes for good; what the server refuses is said here. */
export function ConfirmDialog({
  title,
  description,
  action,
  keep = 'Cancel',
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
        <Button onClick={onClose}>{running.isError ? 'Close' : keep}</Button>
        <Button look="danger" disabled={running.isPending} onClick={() => running.mutate()}>
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
