import type { OrganizationApi } from '../client/organization-api.ts';

/** The release of results, and the policies that release them without a user. */
export function createRelease(api: OrganizationApi) {
  return {
    /**
     * Releases a version of a result. A version that is already released stays as it is.
     *
     * @throws DocwrightError `release_blocked` if the result is incomplete or fails a check, `version_conflict` for another version
     */
    release: api.operation('POST /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/release', 'body'),
    /** What the release policy of a prompt releases, and its bound. */
    status: api.operation('GET /v0/orgs/:org_id/prompts/:id/release'),
    /** A page of what was released since the change that paused the policy. */
    suspects: api.operation('GET /v0/orgs/:org_id/prompts/:id/release/suspects', 'query'),
  };
}
