import { accessTokenList, createAccessTokenBody, createdAccessToken, objectId, pageQuery } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../../platform/http/operation.ts';
import type { AccessTokenService } from './access-token-service.ts';

const operation = operationsOf('access tokens');
const organizationPath = z.object({ org_id: objectId });

export const accessTokenRoutes: FastifyPluginAsyncZod<{ services: { accessTokens: AccessTokenService } }> = async (
  app,
  { services: { accessTokens } },
) => {
  app.post(
    '/v0/orgs/:org_id/access_tokens',
    operation({
      operationId: 'createAccessToken',
      summary: 'Create an access token',
      description:
        'The token is shown only once. It acts for its creator, only in this organization, with at most `role` and at most their role at the time of use. With `lifetime_days` 0 it does not expire. `scopes` limit its use: `read`; `propose` (upload, and use the agent, whose writes need approval); `decide` (approve, set rules, and write without approval); `admin` (members, providers, budget). Without `scopes` it has all of them, or `read` and `propose` where `purpose` is `mcp`.',
      params: organizationPath,
      body: createAccessTokenBody.meta({ examples: [{ name: 'Nightly upload', lifetime_days: 90, role: 'member' }] }),
      errors: ['role_above_own', 'token_cannot_make_tokens', 'viewer_cannot_write'],
      response: { 201: createdAccessToken },
    }),
    async (request, reply) =>
      reply.code(201).send(await accessTokens.create(request.actor, request.principal, request.body)),
  );

  app.get(
    '/v0/orgs/:org_id/access_tokens',
    operation({
      operationId: 'listAccessTokens',
      summary: 'List access tokens',
      description: "Newest first. Admins see all of the organization's, others their own.",
      params: organizationPath,
      querystring: pageQuery,
      response: { 200: accessTokenList },
    }),
    async (request) => accessTokens.list(request.actor, request.query),
  );

  app.delete(
    '/v0/orgs/:org_id/access_tokens/:token_id',
    operation({
      operationId: 'deleteAccessToken',
      summary: 'Revoke an access token',
      description: 'It stops working at once. Admins can revoke all, others their own.',
      params: z.object({ org_id: objectId, token_id: objectId }),
      response: { 204: z.undefined() },
    }),
    async (request, reply) => {
      await accessTokens.delete(request.actor, request.params.token_id);
      return reply.code(204).send();
    },
  );
};
