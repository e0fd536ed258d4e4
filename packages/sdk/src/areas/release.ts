import type { Extraction, ReleaseStatus, releaseBody, releaseSuspects } from '@docwright/contract';
import type { z } from 'zod';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';
import type { PageRequest } from '../client/page-request.ts';

/** The release of results, and the policies that release them without a user. */
export function createRelease(api: OrganizationApi) {
  return {
    /**
     * Releases a version of a result. A version that is already released stays as it is.
     *
     * @throws DocwrightError `release_blocked` if the result is incomplete or fails a check, `version_conflict` for another version
     */
    release: (
      documentId: string,
      promptRevid: string,
      body: z.input<typeof releaseBody>,
      options?: CallOptions,
    ): Promise<Extraction> =>
      api.send('POST', ['documents', documentId, 'extractions', promptRevid, 'release'], body, options),
    /** What the release policy of a prompt releases, and its bound. */
    status: (promptId: string, options?: CallOptions): Promise<ReleaseStatus> =>
      api.get(['prompts', promptId, 'release'], {}, options),
    /** A page of what was released since the change that paused the policy. */
    suspects: (
      promptId: string,
      query: PageRequest = {},
      options?: CallOptions,
    ): Promise<z.infer<typeof releaseSuspects>> =>
      api.get(['prompts', promptId, 'release', 'suspects'], { ...query }, options),
  };
}
