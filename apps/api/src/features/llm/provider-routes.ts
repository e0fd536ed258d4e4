import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { ProviderService } from './provider-service.ts';
import { leftSignal } from '../../platform/streams/when-closed.ts';

export const providerRoutes: FastifyPluginAsync<{
  services: { providers: (actor: Actor) => ProviderService };
}> = async (app, { services: { providers: providersFor } }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/llm/providers', ({ actor, query }) => providersFor(actor).list(query));

  route('PUT /v0/orgs/:org_id/llm/providers/:name', async ({ actor, params, body }, reply) => {
    const { provider, created } = await providersFor(actor).put(params.name, body);
    return reply.code(created ? 201 : 200).send(provider);
  });

  route('DELETE /v0/orgs/:org_id/llm/providers/:name', ({ actor, params }) => providersFor(actor).delete(params.name));
  route('POST /v0/orgs/:org_id/llm/providers/:name/discover', ({ actor, params }, { raw }) =>
    providersFor(actor).discover(params.name, leftSignal(raw)),
  );
};
