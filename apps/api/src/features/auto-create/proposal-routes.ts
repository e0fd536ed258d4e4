import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { ProposalService } from './proposal-service.ts';

export const proposalRoutes: FastifyPluginAsync<{
  services: { proposals: (actor: Actor) => ProposalService };
}> = async (app, { services: { proposals } }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/proposals', async ({ actor, query }) => ({
    ...(await proposals(actor).list(query)),
    ...query,
  }));

  route('GET /v0/orgs/:org_id/proposals/:proposal_id', ({ actor, params }) => proposals(actor).get(params.proposal_id));
  route('POST /v0/orgs/:org_id/proposals/:proposal_id/accept', ({ actor, params, body }) =>
    proposals(actor).accept(params.proposal_id, body ?? {}),
  );
  route('POST /v0/orgs/:org_id/proposals/:proposal_id/reject', ({ actor, params, body }) =>
    proposals(actor).reject(params.proposal_id, body ?? {}),
  );
};
