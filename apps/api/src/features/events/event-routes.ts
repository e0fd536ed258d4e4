import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { EventFeedService } from './feed-service.ts';

/** The feed of events, for programs that cannot be called. */
export const eventRoutes: FastifyPluginAsync<{
  services: { eventFeed: (actor: Actor) => EventFeedService };
  streams: StreamAdmission;
}> = async (app, { services, streams }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/events', async (request, reply) => {
    const { query } = request;
    // A request that waits is a long-lived response like a stream.
    const signal = query.wait > 0 ? streams.stream(request, reply) : app.closing;
    return await services.eventFeed(request.actor).feed(query, signal);
  });
};
