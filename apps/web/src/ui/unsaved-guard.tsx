import { useBlocker } from '@tanstack/react-router';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** Asks before a page with unsaved changes is left. */
export function UnsavedGuard({ dirty }: { dirty: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: () => dirty,
    enableBeforeUnload: () => dirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && blocker.reset()}
      title="Leave without saving?"
      description="What you changed here is not saved yet."
    >
      <div className="flex justify-end gap-2">
        <Button onClick={blocker.reset}>Stay</Button>
        <Button look="danger" onClick={blocker.proceed}>
          Leave
        </Button>
      </div>
    </Dialog>
  );
}
