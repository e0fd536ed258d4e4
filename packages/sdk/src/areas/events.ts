import type { EventFeed, EventQuery, OrganizationEvent } from '@docwright/contract';
import type { OrganizationApi } from '../client/organization-api.ts';
import type { CallOptions } from '../client/transport.ts';

/** The feed of what happened in the organization. */
export function createEvents(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/events', 'query');
  return {
    /** The events after a number. Pass `next_after` of the answer as `after` of the next request. */
    list,
    /**
     * Yields events as they happen, until the signal aborts. Store `seq` of the last event, and pass it as `after` after a
     * restart.
     *
     * @throws DocwrightError `events_gone` if events after `after` are older than 30 days
     * @example
     * ```ts
     * import type { Docwright } from '@docwright/sdk';
     *
     * declare const docwright: Docwright;
     * for await (const event of docwright.events.follow({ types: ['result.released'], include: 'result' })) {
     *   console.log(event.seq, event.data['result']);
     * }
     * ```
     */
    async *follow(
      query: Partial<Omit<EventQuery, 'limit' | 'wait'>> = {},
      options?: CallOptions,
    ): AsyncGenerator<OrganizationEvent> {
      for (let after = query.after; ;) {
        const feed: EventFeed = await list({ ...query, ...(after !== undefined && { after }), wait: 20 }, options);
        yield* feed.events;
        after = feed.next_after;
      }
    },
  };
}
