import { Button } from '../button.tsx';
import { Dialog } from './dialog.tsx';
import { useLeaveQuestion } from './use-leave-question.ts';

interface UnsavedGuardProps {
  dirty: boolean;
  /** Search parameters whose change does not leave the page. */
  harmless?: readonly string[];
}

/** Asks before leaving a page with unsaved changes. */
export function UnsavedGuard({ dirty, harmless = [] }: UnsavedGuardProps) {
  const blocker = useLeaveQuestion(
    ({ current, next }) =>
      dirty && (current.pathname !== next.pathname || leaves(current.search, next.search, harmless)),
    () => dirty,
  );
  if (blocker.status !== 'blocked') return null;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && blocker.reset()}
      title="Leave without saving?"
      description="You have unsaved changes."
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

function leaves(current: object, next: object, harmless: readonly string[]): boolean {
  const before = new Map(Object.entries(current));
  const after = new Map(Object.entries(next));
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].some((name) => !harmless.includes(name) && before.get(name) !== after.get(name));
}
