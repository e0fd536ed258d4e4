import { queryOptions } from '@tanstack/react-query';
import type { Extraction } from '@docwright/contract';
import { requestJson } from '../http/http.ts';
import { documentPath } from './documents-api.ts';
import { promptsKey } from './prompts-api.ts';

/** What the release policy of a prompt releases. */
export function releaseStatusQuery(orgId: string, promptId: string) {
  return queryOptions({
    queryKey: [...promptsKey(orgId), 'release', promptId],
    queryFn: ({ signal }) => requestJson(`/v0/orgs/${orgId}/prompts/${promptId}/release`, { signal }),
  });
}

/** Releases the version of a result that is shown. */
export function releaseResult(
  orgId: string,
  { document_id, prompt_revid, version }: Pick<Extraction, 'document_id' | 'prompt_revid' | 'version'>,
): Promise<Extraction> {
  const path = `${documentPath(orgId, document_id)}/extractions/${prompt_revid}/release` as const;
  return requestJson(path, { method: 'POST', body: { version } });
}
