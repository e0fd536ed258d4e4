import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../http/api-error.ts';
import { sourceListQuery, sourceQuery } from '../api/sources-api.ts';
import { useSession } from '../session/session.tsx';

export const deletedSource = 'Deleted source';
const newest = { skip: 0, limit: 100 };

/** The name of a source, loaded on its own if it is not among the newest 100. Undefined while it loads. */
export function useSourceName(sourceId: string): string | undefined {
  const { orgId } = useSession();
  const list = useQuery(sourceListQuery(orgId, newest)).data;
  const listed = list?.sources.find(({ id }) => id === sourceId);
  const isUnlisted = list !== undefined && listed === undefined;
  const single = useQuery({
    ...sourceQuery(orgId, sourceId),
    retry: false,
    enabled: isUnlisted && list.total_count > list.sources.length,
  });
  if (listed !== undefined) return listed.name;
  if (!isUnlisted) return undefined;
  if (single.data !== undefined) return single.data.name;
  const isDeleted = list.total_count <= list.sources.length || single.error instanceof ApiError;
  return isDeleted ? deletedSource : undefined;
}
