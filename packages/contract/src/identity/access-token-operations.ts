import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { pageQuery } from '../base/fields.ts';
import { accessTokenList, createAccessTokenBody, createdAccessToken } from './identity.ts';

export const accessTokenOperations = describeOperations('access tokens', {
  'POST /v0/orgs/:org_id/access_tokens': {
    operationId: 'createAccessToken',
    summary: 'Create an access token',
    description:
      'The token is shown only once. It acts for its creator, only in this organization, with at most `role` and at most their role at the time of use. With `lifetime_days` 0 it does not expire. `scopes` limit its use: `read`; `propose` (upload, and use the agent, whose writes need approval); `decide` (approve, set rules, and write without approval); `admin` (members, providers, budget). Without `scopes` it has all of them, or `read` and `propose` where `purpose` is `mcp`.',
    body: createAccessTokenBody.meta({ examples: [{ name: 'Nightly upload', lifetime_days: 90, role: 'member' }] }),
    errors: ['role_above_own', 'token_cannot_make_tokens', 'viewer_cannot_write'],
    response: { 201: createdAccessToken },
  },
  'GET /v0/orgs/:org_id/access_tokens': {
    operationId: 'listAccessTokens',
    summary: 'List access tokens',
    description: "Newest first. Admins see all of the organization's, others their own.",
    querystring: pageQuery,
    response: { 200: accessTokenList },
  },
  'DELETE /v0/orgs/:org_id/access_tokens/:token_id': {
    operationId: 'deleteAccessToken',
    summary: 'Revoke an access token',
    description: 'It stops working at once. Admins can revoke all, others their own.',
    response: { 204: z.undefined() },
  },
});
