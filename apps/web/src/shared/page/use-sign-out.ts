import { useMutation, useQueryClient } from '@tanstack/react-query';
import { meQuery, signedOutKey, signOut } from '../api/account/identity-api.ts';

export function useSignOut() {
  const clearSession = useClearSession();
  return useMutation({ mutationFn: signOut, onSuccess: clearSession });
}

/** Returns a function that clears all user data after a deliberate sign-out. */
export function useClearSession(): () => void {
  const queryClient = useQueryClient();
  return () => {
    // The sign-in page must replace the app before its queries are removed.
    queryClient.setQueryData(meQuery.queryKey, null);
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
    queryClient.setQueryData(signedOutKey, true);
  };
}
