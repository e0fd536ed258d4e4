import type { Me } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { meQuery } from '../../shared/api/account/identity-api.ts';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { AccountForm } from './account-form.tsx';

/** Signs in again above the page whose session has ended. It closes by signing in alone, also in another tab. */
export function EndedSession({ user }: Pick<Me, 'user'>) {
  const queryClient = useQueryClient();
  // Another tab can sign in meanwhile.
  useQuery({ ...meQuery, refetchInterval: 2000 });
  return (
    <Dialog
      open
      title="Your session has ended"
      description="Sign in to continue. Nothing that you have written is lost."
    >
      {user.has_password ? (
        <AccountForm
          purpose="sign-in"
          email={user.email}
          submitLabel="Sign in"
          // Requests that failed meanwhile are sent again.
          onDone={() => void queryClient.invalidateQueries()}
        />
      ) : (
        <p className="text-sm">
          You have no password yet. Restart the server, and open the link that it prints in another tab of this browser.
          Then come back here.
        </p>
      )}
    </Dialog>
  );
}
