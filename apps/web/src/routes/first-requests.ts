import type { QueryClient } from '@tanstack/react-query';
import { listPageOf } from '../shared/addresses/document-search.ts';
import { meQuery } from '../shared/api/account/identity-api.ts';
import { documentListQuery, documentQuery, proposedCount } from '../shared/api/documents-api.ts';
import { organizationOf } from '../shared/session/session.tsx';

/**
 * Requests the session and what the two most visited pages show, while the code of the page is loaded: on a slow connection
 * one after the other would take seconds. The page uses the same queries, and reports their errors.
 */
export async function requestFirst(
  queryClient: QueryClient,
  { pathname, search }: Pick<Location, 'pathname' | 'search'>,
): Promise<void> {
  await queryClient.prefetchQuery(meQuery);
  const me = queryClient.getQueryData(meQuery.queryKey);
  const orgId = me ? organizationOf(me)?.id : undefined;
  if (orgId === undefined) return;
  const [, documentId] = /^\/documents\/([0-9a-f]{24})$/iu.exec(pathname) ?? [];
  if (documentId !== undefined) await queryClient.prefetchQuery(documentQuery(orgId, documentId));
  if (pathname !== '/' || search !== '') return;
  await Promise.all([
    queryClient.prefetchQuery(documentListQuery(orgId, listPageOf({}))),
    queryClient.prefetchQuery(documentListQuery(orgId, proposedCount)),
  ]);
}
