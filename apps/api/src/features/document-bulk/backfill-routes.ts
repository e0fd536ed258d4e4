import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { BackfillService } from './backfill-service.ts';

/** Runs of a prompt on documents that were there before it. */
export const backfillRoutes: FastifyPluginAsync<{
  services: { backfill: (actor: Actor) => BackfillService };
}> = async (app, { services: { backfill } }) => {
  const route = routesOf(app);
  route('POST /v0/orgs/:org_id/prompts/:prompt_id/backfill', async ({ actor, params, body }) => {
    const started = await backfill(actor).start(params.prompt_id, body);
    return started;
  });

  route('GET /v0/orgs/:org_id/prompts/:prompt_id/backfill/:run_id', ({ actor, params }) =>
    backfill(actor).report(params.prompt_id, params.run_id),
  );
};
