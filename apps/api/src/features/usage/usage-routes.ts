import type { FastifyPluginAsync } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { StorageLimit } from '../../platform/database/stored-bytes/storage-limit.ts';
import { mayStoreMore } from '../../platform/http/growing-requests.ts';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { UsageService } from './usage-service.ts';

/** Refuses requests that would store more in an organization at its limit, before their bodies are read. */
export const storageRoom = fastifyPlugin(
  async (app, { storageLimit }: { storageLimit: Pick<StorageLimit, 'requireRoom'> }) => {
    // After the authentication, which finds the organization.
    app.addHook('preParsing', async (request) => {
      const { url = '', config } = request.routeOptions;
      if (config.public === true || !mayStoreMore(request.method, url)) return;
      await storageLimit.requireRoom(request.actor.organizationId);
    });
  },
  { name: 'storage-room', dependencies: ['authentication'] },
);

export const usageRoutes: FastifyPluginAsync<{ services: { usage: (actor: Actor) => UsageService } }> = async (
  app,
  { services: { usage: usageFor } },
) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/usage', ({ actor }) => usageFor(actor).usage());
  route('PUT /v0/orgs/:org_id/budget', ({ actor, body }) => usageFor(actor).setBudget(body));
};
