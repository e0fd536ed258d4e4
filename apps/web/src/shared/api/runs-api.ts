import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  createRunBody,
  MatchingDocuments,
  matchingDocumentsBody,
  Run,
  runDocumentList,
  RunDocumentState,
  runList,
  RunState,
} from '@docwright/contract';
import type { z } from 'zod';
import { queryString, requestJson } from '../http/http.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/runs`;

/** Everything known of an organization's runs. */
export const runsKey = (orgId: string) => ['runs', orgId];

const isGoing = (run: Pick<Run, 'ended_at'>) => run.ended_at === null;

export function runListQuery(orgId: string, search: { state?: RunState | undefined; skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...runsKey(orgId), 'list', search],
    queryFn: ({ signal }) => requestJson<z.infer<typeof runList>>(path(orgId) + queryString(search), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.runs.some(isGoing) ? 1000 : 5000),
  });
}

export function runQuery(orgId: string, runId: string) {
  return queryOptions({
    queryKey: [...runsKey(orgId), 'one', runId],
    queryFn: ({ signal }) => requestJson<Run>(`${path(orgId)}/${runId}`, { signal }),
    // Its stream ends with the run; decisions on what it has left to people come later.
    refetchInterval: ({ state: { data } }) => (data && !isGoing(data) && data.parked > 0 ? 2_000 : false),
  });
}

/** The outcomes of the documents of one run. */
export const runDocumentsKey = (orgId: string, runId: string) => [...runsKey(orgId), 'documents', runId];

export function runDocumentsQuery(
  orgId: string,
  runId: string,
  search: { state?: RunDocumentState | undefined; skip: number; limit: number },
) {
  return queryOptions({
    queryKey: [...runDocumentsKey(orgId, runId), search],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof runDocumentList>>(`${path(orgId)}/${runId}/documents${queryString(search)}`, {
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** The frames of the run's own stream. */
export const runEventsPath = (orgId: string, runId: string) => `${path(orgId)}/${runId}/events`;

export type Matching = z.input<typeof matchingDocumentsBody>;

/** How many documents a run would find now. */
export function matchingQuery(orgId: string, matching: Matching) {
  return queryOptions({
    queryKey: [...runsKey(orgId), 'matching', matching],
    queryFn: ({ signal }) =>
      requestJson<MatchingDocuments>(`${path(orgId)}/matching`, { method: 'POST', body: matching, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
}

export function startRun(orgId: string, body: z.input<typeof createRunBody>): Promise<Run> {
  return requestJson(path(orgId), { method: 'POST', body });
}

/** Has the server undo what the run wrote; the run's events tell how far it is. */
export function undoRun(orgId: string, runId: string): Promise<Run> {
  return requestJson(`${path(orgId)}/${runId}/undo`, { method: 'POST' });
}

/** What is done stays; 409 `run_ended` where it has ended and nothing waits. */
export function stopRun(orgId: string, runId: string): Promise<Run> {
  return requestJson(`${path(orgId)}/${runId}/stop`, { method: 'POST' });
}
