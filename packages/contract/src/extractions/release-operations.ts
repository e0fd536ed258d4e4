import { describeOperations } from '../base/describe-operations.ts';
import { objectId, pageQuery } from '../base/fields.ts';
import { extraction } from './extractions.ts';
import { releaseBody, releaseStatus, releaseSuspects } from './release.ts';

export const releaseOperations = describeOperations('release', {
  'POST /v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/release': {
    operationId: 'releaseResult',
    summary: 'Release a version of a result',
    description:
      'A result that is incomplete, fails a check of severity `error` or violates its schema is refused (409 `release_blocked` with `details.reasons`), unless an admin overrules this with `override`. A version that is already released stays as it is.',
    body: releaseBody.meta({ examples: [{ version: 2 }] }),
    errors: [
      'admin_required',
      'viewer_cannot_write',
      'document_not_found',
      'extraction_not_found',
      'release_blocked',
      'version_conflict',
    ],
    response: { 200: extraction },
  },
  'GET /v0/orgs/:org_id/prompts/:id/release': {
    operationId: 'getReleaseStatus',
    summary: 'Get what the release policy of a prompt releases, and its bound',
    description:
      'With `confidence`, at most the share `bound` of what is released without a user is wrong. It is computed from the audit sample, which users verify; `needed` is how many more documents must be audited. docs/people/release.md states the formulas and what they assume.',
    params: { id: objectId.describe('A prompt_id') },
    errors: ['prompt_not_found', 'no_release_policy'],
    response: { 200: releaseStatus },
  },
  'GET /v0/orgs/:org_id/prompts/:id/release/suspects': {
    operationId: 'listReleaseSuspects',
    summary: 'List what was released since the change that paused the policy',
    description: 'Empty unless the policy is paused. Nothing is withdrawn by itself.',
    params: { id: objectId.describe('A prompt_id') },
    querystring: pageQuery,
    errors: ['prompt_not_found', 'no_release_policy'],
    response: { 200: releaseSuspects },
  },
});
