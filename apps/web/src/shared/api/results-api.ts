import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { SavedView, SavedViewBody } from '@docwright/contract';
import type { QueryFor } from '../http/described-request.ts';
import { requestJson, send } from '../http/http.ts';

/** What selects and orders results, as parameters of the API. */
export type ResultRequest = QueryFor<'GET /v0/orgs/:org_id/prompts/:prompt_id/results'>;

const promptPath = (orgId: string, promptId: string) => `/v0/orgs/${orgId}/prompts/${promptId}` as const;
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
      const query = { ...request, position: block * resultBlock, limit: resultBlock };
      return requestJson(`${promptPath(orgId, promptId)}/results`, { query, signal });
    },
    refetchInterval: ({ state }) => (state.data?.lag === undefined ? refreshMs : lagMs),
    staleTime: refreshMs / 2,
  });
}

type SummaryRequest = QueryFor<'GET /v0/orgs/:org_id/prompts/:prompt_id/results/summary'>;

export function resultSummaryQuery(orgId: string, promptId: string, request: SummaryRequest) {
  return queryOptions({
    queryKey: [...resultsKey(orgId, promptId), 'summary', request],
    queryFn: ({ signal }) => requestJson(`${promptPath(orgId, promptId)}/results/summary`, { query: request, signal }),
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
  return send(`${promptPath(orgId, promptId)}/results`, { query: request, headers: { accept: mimeType }, signal });
}

const viewsPath = (orgId: string, promptId: string) => `${promptPath(orgId, promptId)}/views` as const;

/** The user's saved views, and those that others share. */
export function savedViewsQuery(orgId: string, promptId: string) {
  return queryOptions({
    queryKey: [...resultsKey(orgId, promptId), 'views'],
    queryFn: ({ signal }) => requestJson(viewsPath(orgId, promptId), { signal }),
    staleTime: 30_000,
  });
}

export const saveView = (orgId: string, promptId: string, view: SavedViewBody): Promise<SavedView> =>
  requestJson(viewsPath(orgId, promptId), { method: 'POST', body: view });

export async function deleteView(orgId: string, promptId: string, viewId: string): Promise<void> {
  await send(`${viewsPath(orgId, promptId)}/${viewId}`, { method: 'DELETE' });
}
