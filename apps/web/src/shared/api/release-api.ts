import { queryOptions } from '@tanstack/react-query';
import type { Extraction, ReleaseStatus } from '@docwright/contract';
import { ApiError } from '../http/api-error.ts';
import { requestJson } from '../http/http.ts';
import { documentPath } from './documents-api.ts';
import { promptsKey } from './prompts-api.ts';

/** What the release policy of a prompt releases; null without a policy. */
export function releaseStatusQuery(orgId: string, promptId: string) {
  return queryOptions({
    queryKey: [...promptsKey(orgId), 'release', promptId],
    queryFn: async ({ signal }): Promise<ReleaseStatus | null> => {
      try {
        return await requestJson<ReleaseStatus>(`/v0/orgs/${orgId}/prompts/${promptId}/release`, { signal });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'no_release_policy') return null;
        throw error;
      }
    },
  });
}

/** Releases the version of a result that is shown. */
export function releaseResult(
  orgId: string,
  { document_id, prompt_revid, version }: Pick<Extraction, 'document_id' | 'prompt_revid' | 'version'>,
): Promise<Extraction> {
  const path = `${documentPath(orgId, document_id)}/extractions/${prompt_revid}/release`;
  return requestJson(path, { method: 'POST', body: { version } });
}
