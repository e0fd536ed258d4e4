import { eventFeed, eventQuery, objectId } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import type { Actor } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { EventFeedService } from './feed-service.ts';

const operation = operationsOf('events');

/** The feed of events, for programs that cannot be called. */
export const eventRoutes: FastifyPluginAsyncZod<{
  services: { eventFeed: (actor: Actor) => EventFeedService };
  streams: StreamAdmission;
}> = async (app, { services, streams }) => {
  app.get(
    '/v0/orgs/:org_id/events',
    operation({
      operationId: 'listEvents',
      summary: 'Read the events of the organization',
      description:
        'A feed that loses nothing: pass `next_after` of each answer as `after` of the next request. `seq` is dense in the order in which events become visible, so an event never appears before one that was already answered. Events are kept for 30 days; if some after `after` were deleted, the answer is 410 `events_gone` with the number of the oldest. `wait` holds the request open until there is an event. `include=result` adds the result of an event about one, or `result_url` if it is larger than 256 kB.',
      params: z.object({ org_id: objectId }),
      querystring: eventQuery,
      errors: ['events_gone', 'too_many_streams'],
      response: { 200: eventFeed },
    }),
    async (request, reply) => {
      const { query } = request;
      // A request that waits is a long-lived response like a stream.
      const signal = query.wait > 0 ? streams.stream(request, reply) : app.closing;
      return await services.eventFeed(request.actor).feed(query, signal);
    },
  );
};
