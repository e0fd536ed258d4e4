import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import { hasScope, type Actor } from '../identity/index.ts';
import type { ReviewService } from './review-service.ts';

export const reviewRoutes: FastifyPluginAsync<{ services: { review: (actor: Actor) => ReviewService } }> = async (
  app,
  { services: { review } },
) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/review', ({ actor, principal, query }) =>
    review(actor).list(hasScope(principal, 'decide') ? query : { ...query, lease: false }),
  );
  route('POST /v0/orgs/:org_id/review/decide', async ({ actor, body }) => ({
    outcomes: await review(actor).decide(body.decisions),
  }));
};
