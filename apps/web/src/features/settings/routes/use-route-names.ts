import { useQuery } from '@tanstack/react-query';
import { tagsQuery } from '../../../shared/api/library-api.ts';
import { sourceListQuery } from '../../../shared/api/sources-api.ts';
import { usePromptName } from '../../../shared/labels/use-prompt-name.ts';
import { useSession } from '../../../shared/session/session.tsx';
import type { RouteNames } from './route-labels.ts';

export const newestSources = { skip: 0, limit: 100 };

/** The names of what routes refer to. */
export function useRouteNames(): RouteNames {
  const { orgId } = useSession();
  const tags = useQuery(tagsQuery(orgId)).data?.tags;
  const sources = useQuery(sourceListQuery(orgId, newestSources)).data?.sources;
  const prompt = usePromptName();
  return {
    tag: (id) => tags?.find(({ tag_id }) => tag_id === id)?.name ?? (tags ? 'a deleted tag' : '…'),
    source: (id) =>
      sources?.find((source) => source.id === id)?.name ?? (sources ? 'a source that is not listed' : '…'),
    prompt,
  };
}
