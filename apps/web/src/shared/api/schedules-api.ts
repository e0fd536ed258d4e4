import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { createScheduleBody, NextTimesBody, PatchScheduleBody, Run, Schedule } from '@docwright/contract';
import type { z } from 'zod';
import { requestJson, send } from '../http/http.ts';
import { runsKey } from './runs-api.ts';
import type { ListSearch } from './schemas-api.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/schedules` as const;

/** Prefix of all query keys about an organization's schedules. */
export const schedulesKey = (orgId: string) => ['schedules', orgId];

/** The next due times change as time passes. */
const duePollMs = 15_000;

export function scheduleListQuery(orgId: string, search: ListSearch) {
  return queryOptions({
    queryKey: [...schedulesKey(orgId), 'list', search],
    queryFn: ({ signal }) => requestJson(path(orgId), { query: search, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: duePollMs,
  });
}

/** All schedules: an organization has at most 100. */
export const allSchedulesQuery = (orgId: string) => scheduleListQuery(orgId, { skip: 0, limit: 100 });

export function scheduleQuery(orgId: string, scheduleId: string) {
  return queryOptions({
    queryKey: [...schedulesKey(orgId), 'one', scheduleId],
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/${scheduleId}`, { signal }),
    refetchInterval: duePollMs,
  });
}

/** The runs of a schedule; polls quickly while one is active. */
export function scheduleRunsQuery(orgId: string, scheduleId: string, page: { skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...runsKey(orgId), 'of', scheduleId, page],
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/${scheduleId}/runs`, { query: page, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.runs.some(({ ended_at }) => ended_at === null) ? 1000 : duePollMs),
  });
}

export function nextTimesQuery(orgId: string, times: NextTimesBody) {
  return queryOptions({
    queryKey: [...schedulesKey(orgId), 'next-times', times],
    queryFn: ({ signal }) => requestJson(`${path(orgId)}/next_times`, { method: 'POST', body: times, signal }),
    refetchInterval: duePollMs,
  });
}

export type NewSchedule = z.input<typeof createScheduleBody>;

export function createSchedule(orgId: string, body: NewSchedule): Promise<Schedule> {
  return requestJson(path(orgId), { method: 'POST', body });
}

export function changeSchedule(orgId: string, scheduleId: string, body: PatchScheduleBody): Promise<Schedule> {
  return requestJson(`${path(orgId)}/${scheduleId}`, { method: 'PATCH', body });
}

/** Deletes a schedule; its runs stay. */
export async function deleteSchedule(orgId: string, scheduleId: string): Promise<void> {
  await send(`${path(orgId)}/${scheduleId}`, { method: 'DELETE' });
}

/** Starts a run now; 409 `run_going` while one of its runs is active. */
export function runSchedule(orgId: string, scheduleId: string): Promise<Run> {
  return requestJson(`${path(orgId)}/${scheduleId}/run`, { method: 'POST' });
}
