import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { createRunBody, matchingDocumentsBody, Run, RunDocumentState, RunState } from '@docwright/contract';
import type { z } from 'zod';
import { requestJson } from '../http/http.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/runs` as const;

/** Prefix of all query keys about an organization's runs. */
export const runsKey = (orgId: string) => ['runs', orgId];

const isActive = (run: Pick<Run, 'ended_at'>) => run.ended_at === null;

export function runListQuery(orgId: string, search: { state?: RunState | undefined; skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...runsKey(orgId), 'list', search],
    queryFn: ({ signal }) => requestJson(path(orgId), { query: search, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.runs.some(isActive) ? 1000 : 5000),
  });
}

export function runQuery(orgId: string, runId: string) {
  return queryOptions({
    queryKey: [...runsKey(orgId), 'one', runId],
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/${runId}`, { signal }),
    // The run's event stream ends with the run, but its parked calls are decided later.
    refetchInterval: ({ state: { data } }) => (data && !isActive(data) && data.parked > 0 ? 2_000 : false),
  });
}

/** Prefix of the query keys of a run's documents. */
export const runDocumentsKey = (orgId: string, runId: string) => [...runsKey(orgId), 'documents', runId];

export function runDocumentsQuery(
  orgId: string,
  runId: string,
  search: { state?: RunDocumentState | undefined; skip: number; limit: number },
) {
  return queryOptions({
    queryKey: [...runDocumentsKey(orgId, runId), search],
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/${runId}/documents`, { query: search, signal }),
    placeholderData: keepPreviousData,
  });
}

/** The run's event stream. */
export const runEventsPath = (orgId: string, runId: string) => `${path(orgId)}/${runId}/events`;

export type MatchingBody = z.input<typeof matchingDocumentsBody>;

/** How many documents a run would match now. */
export function matchingQuery(orgId: string, matching: MatchingBody) {
  return queryOptions({
    queryKey: [...runsKey(orgId), 'matching', matching],
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/matching`, { method: 'POST', body: matching, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });
}

export function startRun(orgId: string, body: z.input<typeof createRunBody>): Promise<Run> {
  return requestJson(path(orgId), { method: 'POST', body });
}

/** Undoes a run's writes; the run's events report progress. */
export function undoRun(orgId: string, runId: string): Promise<Run> {
  return requestJson(`${path(orgId)}/${runId}/undo`, { method: 'POST' });
}

/** Stops a run; finished documents keep their results. 409 `run_ended` if it has ended and no call is pending. */
export function stopRun(orgId: string, runId: string): Promise<Run> {
  return requestJson(`${path(orgId)}/${runId}/stop`, { method: 'POST' });
}
