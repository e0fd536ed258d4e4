import { useQueryClient } from '@tanstack/react-query';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { AccountForm } from './account-form.tsx';

/** Signs in again above the page whose session has ended. It closes by signing in alone. */
export function EndedSession() {
  const queryClient = useQueryClient();
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      title="Your session has ended"
      description="Sign in to continue. Nothing that you have written is lost."
    >
      <AccountForm
        purpose="sign-in"
        submitLabel="Sign in"
        // Requests that failed meanwhile are sent again.
        onDone={() => void queryClient.invalidateQueries()}
      />
    </Dialog>
  );
}
