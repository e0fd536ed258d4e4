import { useQuery } from '@tanstack/react-query';
import { allSchedulesQuery } from '../api/schedules-api.ts';
import { useSession } from '../session/session.tsx';

/** Returns a function from a schedule id to a name: undefined if deleted, empty while they load. */
export function useScheduleName(): (id: string) => string | undefined {
  const { orgId } = useSession();
  const schedules = useQuery(allSchedulesQuery(orgId)).data?.schedules;
  return (id) => (schedules === undefined ? '' : schedules.find((schedule) => schedule.id === id)?.name);
}
