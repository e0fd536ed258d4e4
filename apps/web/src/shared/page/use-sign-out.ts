import { useMutation, useQueryClient } from '@tanstack/react-query';
import { meQuery, signedOutKey, signOut } from '../api/account/identity-api.ts';
import { counted } from '../formats/counted.ts';
import { countDrafts, endStorage } from '../ui/browser/stored-value.ts';
import { useToast } from '../ui/toasts.tsx';

/** Says what a sign-out loses; undefined if nothing is unsent. */
export function lostBySignOut(): string | undefined {
  const drafts = countDrafts();
  return drafts === 0 ? undefined : `${counted(drafts, 'draft')} in this browser that you have not sent will be lost.`;
}

/** Signs out. While something is unsent, a message says so first and offers to sign out all the same. */
export function useSignOut() {
  const clearSession = useClearSession();
  const toast = useToast();
  const signingOut = useMutation({ mutationFn: signOut, onSuccess: clearSession });
  const start = () => {
    const lost = lostBySignOut();
    if (lost === undefined) signingOut.mutate();
    else toast(lost, 'bad', { label: 'Sign out', run: () => signingOut.mutate() });
  };
  return { start, isPending: signingOut.isPending, error: signingOut.error };
}

/** Returns a function that clears all user data after a deliberate sign-out. */
export function useClearSession(): () => void {
  const queryClient = useQueryClient();
  return () => {
    endStorage();
    // The sign-in page must replace the app before its queries are removed.
    queryClient.setQueryData(meQuery.queryKey, null);
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
    queryClient.setQueryData(signedOutKey, true);
  };
}
