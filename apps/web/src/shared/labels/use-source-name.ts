import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../http/api-error.ts';
import { sourceListQuery, sourceQuery } from '../api/sources-api.ts';
import { useSession } from '../session/session.tsx';

export const deletedSource = 'Deleted source';
const newest = { skip: 0, limit: 100 };

/** What a source is called; of one beyond the newest it is asked for alone. Undefined until that is known. */
export function useSourceName(sourceId: string): string | undefined {
  const { orgId } = useSession();
  const list = useQuery(sourceListQuery(orgId, newest)).data;
  const listed = list?.sources.find(({ id }) => id === sourceId);
  const isBeyond = list !== undefined && listed === undefined;
  const alone = useQuery({
    ...sourceQuery(orgId, sourceId),
    retry: false,
    enabled: isBeyond && list.total_count > list.sources.length,
  });
  if (listed !== undefined) return listed.name;
  if (!isBeyond) return undefined;
  if (alone.data !== undefined) return alone.data.name;
  const isGone = list.total_count <= list.sources.length || alone.error instanceof ApiError;
  return isGone ? deletedSource : undefined;
}
