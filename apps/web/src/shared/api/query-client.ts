import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../http/api-error.ts';
import { meQuery } from './identity-api.ts';

/** What the server refused stays refused; only an unreachable or busy one is asked again. */
const retry = (failures: number, error: Error) =>
  failures < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 502);

/** A session that has ended is noticed wherever it is needed next: the sign-in page takes over. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (error instanceof ApiError && error.status === 401) {
          void client.invalidateQueries({ queryKey: meQuery.queryKey });
        }
      },
    }),
    // A device without a network still reaches a server of its own; where it does not, waiting in silence tells nobody.
    defaultOptions: {
      queries: { retry, staleTime: 2000, networkMode: 'always', refetchOnReconnect: true },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
  return client;
}
