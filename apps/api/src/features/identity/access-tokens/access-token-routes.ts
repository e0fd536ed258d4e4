import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../../platform/http/route.ts';
import type { AccessTokenService } from './access-token-service.ts';

export const accessTokenRoutes: FastifyPluginAsync<{ services: { accessTokens: AccessTokenService } }> = async (
  app,
  { services: { accessTokens } },
) => {
  const route = routesOf(app);
  route('POST /v0/orgs/:org_id/access_tokens', ({ actor, principal, body }) =>
    accessTokens.create(actor, principal, body),
  );
  route('GET /v0/orgs/:org_id/access_tokens', ({ actor, query }) => accessTokens.list(actor, query));
  route('DELETE /v0/orgs/:org_id/access_tokens/:token_id', ({ actor, params }) =>
    accessTokens.delete(actor, params.token_id),
  );
};
