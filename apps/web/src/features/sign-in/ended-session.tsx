import type { Me } from '@docwright/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { meQuery } from '../../shared/api/account/identity-api.ts';
import { Button } from '../../shared/ui/button.tsx';
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

/**
 * Covers the page of a user when another one has signed in in another window of the browser: what is done here now would be
 * done by the other one.
 */
export function OtherUser({ user, other }: { user: Me['user']; other: Me['user'] }) {
  const queryClient = useQueryClient();
  return (
    <Dialog
      open
      title={`${other.name} has signed in`}
      description={`This page is ${user.name}’s. It does nothing while ${other.name} is signed in in this browser.`}
    >
      <div className="flex flex-col gap-4">
        <Button onClick={() => window.location.reload()}>Go on as {other.name}</Button>
        {user.has_password && (
          <AccountForm
            purpose="sign-in"
            email={user.email}
            submitLabel={`Sign in as ${user.name}`}
            onDone={() => void queryClient.invalidateQueries()}
          />
        )}
      </div>
    </Dialog>
  );
}
