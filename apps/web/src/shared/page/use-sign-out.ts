import { useMutation, useQueryClient } from '@tanstack/react-query';
import { meQuery, signedOutKey, signOut } from '../api/identity-api.ts';

export function useSignOut() {
  const forget = useForgetPerson();
  return useMutation({ mutationFn: signOut, onSuccess: forget });
}

/** What follows where the session has been ended on purpose: sign-in, and nothing kept. */
export function useForgetPerson(): () => void {
  const queryClient = useQueryClient();
  return () => {
    // First the page turns to sign-in, then nothing of the person's is kept.
    queryClient.setQueryData(meQuery.queryKey, null);
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== meQuery.queryKey[0] });
    queryClient.setQueryData(signedOutKey, true);
  };
}
