import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../http/api-error.ts';
import { meQuery } from './account/identity-api.ts';

/** Retries only when the server is unreachable or busy; a rejection is final. */
const retry = (failures: number, error: Error) =>
  failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 502);

/** After any 401 answer the session is read again, and a dialog above the page signs in if it has ended. */
export function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) {
      void client.invalidateQueries({ queryKey: meQuery.queryKey });
    }
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    // `always`: an offline device still reaches a server on localhost, and elsewhere an error is better than silence.
    defaultOptions: {
      queries: { retry, staleTime: 2000, networkMode: 'always', refetchOnReconnect: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
