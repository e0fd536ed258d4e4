import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ResultPage, ResultSummary, SavedView, SavedViewBody } from '@docwright/contract';
import { queryString, requestJson, send } from '../http/http.ts';

/** What selects and orders results, as parameters of the API. */
export interface ResultRequest {
  table?: string | undefined;
  where?: string | undefined;
  sort?: string | undefined;
  columns?: string[] | undefined;
  release?: string | undefined;
  is_verified?: boolean | undefined;
  tag_ids?: string[] | undefined;
  document_ids?: string[] | undefined;
}

const promptPath = (orgId: string, promptId: string) => `/v0/orgs/${orgId}/prompts/${promptId}`;
const resultsKey = (orgId: string, promptId: string) => ['results', orgId, promptId];

/** How many rows one request reads. */
export const resultBlock = 100;
const refreshMs = 10_000;
const lagMs = 1_500;

/** One block of the rows, counted from 0. Read again while results wait for the index, and from time to time. */
export function resultBlockQuery(orgId: string, promptId: string, request: ResultRequest, block: number) {
  return queryOptions({
    queryKey: [...resultsKey(orgId, promptId), 'rows', request, block],
    queryFn: ({ signal }) => {
      const query = queryString({ ...request, position: block * resultBlock, limit: resultBlock });
      return requestJson<ResultPage>(`${promptPath(orgId, promptId)}/results${query}`, { signal });
    },
    refetchInterval: ({ state }) => (state.data?.lag === undefined ? refreshMs : lagMs),
    staleTime: refreshMs / 2,
  });
}

interface SummaryRequest extends Omit<ResultRequest, 'sort' | 'columns'> {
  group_by?: string[] | undefined;
  sum?: string | undefined;
}

export function resultSummaryQuery(orgId: string, promptId: string, request: SummaryRequest) {
  return queryOptions({
    queryKey: [...resultsKey(orgId, promptId), 'summary', request],
    queryFn: ({ signal }) =>
      requestJson<ResultSummary>(`${promptPath(orgId, promptId)}/results/summary${queryString({ ...request })}`, {
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  });
}

/** All selected rows as a file, whose body is read while it arrives. */
export function openExport(
  orgId: string,
  promptId: string,
  request: ResultRequest,
  mimeType: string,
  signal: AbortSignal,
): Promise<Response> {
  const path = `${promptPath(orgId, promptId)}/results${queryString({ ...request })}`;
  return send(path, { headers: { accept: mimeType }, signal });
}

const viewsPath = (orgId: string, promptId: string) => `${promptPath(orgId, promptId)}/views`;

/** The user's saved views, and those that others share. */
export function savedViewsQuery(orgId: string, promptId: string) {
  return queryOptions({
    queryKey: [...resultsKey(orgId, promptId), 'views'],
    queryFn: ({ signal }) => requestJson<{ views: SavedView[] }>(viewsPath(orgId, promptId), { signal }),
    staleTime: 30_000,
  });
}

export const saveView = (orgId: string, promptId: string, view: SavedViewBody): Promise<SavedView> =>
  requestJson(viewsPath(orgId, promptId), { method: 'POST', body: view });

export async function deleteView(orgId: string, promptId: string, viewId: string): Promise<void> {
  await send(`${viewsPath(orgId, promptId)}/${viewId}`, { method: 'DELETE' });
}
