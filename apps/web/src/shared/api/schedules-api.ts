import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  createScheduleBody,
  NextTimes,
  NextTimesBody,
  PatchScheduleBody,
  Run,
  runList,
  Schedule,
  scheduleList,
} from '@docwright/contract';
import type { z } from 'zod';
import { queryString, requestJson, send } from '../http/http.ts';
import { runsKey } from './runs-api.ts';
import type { ListSearch } from './schemas-api.ts';

const path = (orgId: string) => `/v0/orgs/${orgId}/schedules`;

/** Everything known of an organization's schedules. */
export const schedulesKey = (orgId: string) => ['schedules', orgId];

/** Times come and go by themselves: what is due next is asked for now and then. */
const dueInterval = 15_000;

export function scheduleListQuery(orgId: string, search: ListSearch) {
  return queryOptions({
    queryKey: [...schedulesKey(orgId), 'list', search],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof scheduleList>>(path(orgId) + queryString({ ...search }), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: dueInterval,
  });
}

/** All that an organization may have: a hundred. */
export const allSchedulesQuery = (orgId: string) => scheduleListQuery(orgId, { skip: 0, limit: 100 });

export function scheduleQuery(orgId: string, scheduleId: string) {
  return queryOptions({
    queryKey: [...schedulesKey(orgId), 'one', scheduleId],
    queryFn: ({ signal }) => requestJson<Schedule>(`${path(orgId)}/${scheduleId}`, { signal }),
    refetchInterval: dueInterval,
  });
}

/** While the newest goes, how it stands is asked for often. */
export function scheduleRunsQuery(orgId: string, scheduleId: string, page: { skip: number; limit: number }) {
  return queryOptions({
    queryKey: [...runsKey(orgId), 'of', scheduleId, page],
    queryFn: ({ signal }) =>
      requestJson<z.infer<typeof runList>>(`${path(orgId)}/${scheduleId}/runs${queryString(page)}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.runs.some(({ ended_at }) => ended_at === null) ? 1000 : dueInterval),
  });
}

export function nextTimesQuery(orgId: string, times: NextTimesBody) {
  return queryOptions({
    queryKey: [...schedulesKey(orgId), 'next-times', times],
    queryFn: ({ signal }) =>
      requestJson<NextTimes>(`${path(orgId)}/next_times`, { method: 'POST', body: times, signal }),
    refetchInterval: dueInterval,
  });
}

export type NewSchedule = z.input<typeof createScheduleBody>;

export function createSchedule(orgId: string, body: NewSchedule): Promise<Schedule> {
  return requestJson(path(orgId), { method: 'POST', body });
}

export function changeSchedule(orgId: string, scheduleId: string, body: PatchScheduleBody): Promise<Schedule> {
  return requestJson(`${path(orgId)}/${scheduleId}`, { method: 'PATCH', body });
}

/** Its runs stay. */
export async function deleteSchedule(orgId: string, scheduleId: string): Promise<void> {
  await send(`${path(orgId)}/${scheduleId}`, { method: 'DELETE' });
}

/** 409 `run_going` while one of its runs goes. */
export function runSchedule(orgId: string, scheduleId: string): Promise<Run> {
  return requestJson(`${path(orgId)}/${scheduleId}/run`, { method: 'POST' });
}
