import {
  extraction,
  objectId,
  pageQuery,
  releaseBody,
  releasePath,
  releaseStatus,
  releaseSuspects,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { ReleaseService } from './release-service.ts';

const operation = operationsOf('release');
const promptPath = z.object({ org_id: objectId, id: objectId.describe('A prompt_id') });

export const releaseRoutes: FastifyPluginAsyncZod<{
  services: { releases: (actor: Actor) => ReleaseService };
}> = async (app, { services: { releases } }) => {
  app.post(
    '/v0/orgs/:org_id/documents/:document_id/extractions/:prompt_revid/release',
    operation({
      operationId: 'releaseResult',
      summary: 'Release a version of a result',
      description:
        'A result that is incomplete, fails a check of severity `error` or violates its schema is refused (409 `release_blocked` with `details.reasons`), unless an admin overrules this with `override`. A version that is already released stays as it is.',
      params: releasePath,
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
    }),
    async (request) => {
      const { document_id, prompt_revid } = request.params;
      return releases(request.actor).release(document_id, prompt_revid, request.body);
    },
  );

  app.get(
    '/v0/orgs/:org_id/prompts/:id/release',
    operation({
      operationId: 'getReleaseStatus',
      summary: 'Get what the release policy of a prompt releases, and its bound',
      description:
        'With `confidence`, at most the share `bound` of what is released without a user is wrong. It is computed from the audit sample, which users verify; `needed` is how many more documents must be audited. docs/people/release.md states the formulas and what they assume.',
      params: promptPath,
      errors: ['prompt_not_found', 'no_release_policy'],
      response: { 200: releaseStatus },
    }),
    async (request) => releases(request.actor).status(request.params.id),
  );

  app.get(
    '/v0/orgs/:org_id/prompts/:id/release/suspects',
    operation({
      operationId: 'listReleaseSuspects',
      summary: 'List what was released since the change that paused the policy',
      description: 'Empty unless the policy is paused. Nothing is withdrawn by itself.',
      params: promptPath,
      querystring: pageQuery,
      errors: ['prompt_not_found', 'no_release_policy'],
      response: { 200: releaseSuspects },
    }),
    async (request) => releases(request.actor).suspects(request.params.id, request.query),
  );
};
