import type { EventFeed, EventQuery, OrganizationEvent } from '@docwright/contract';
import type { OrganizationApi } from '../client/organization-api.ts';
import { isTemporary, maxFailures } from '../client/follow-events.ts';
import { backoffMilliseconds, sleep } from '../client/sleep.ts';
import type { CallOptions } from '../client/transport.ts';

/** The feed of what happened in the organization. */
export function createEvents(api: OrganizationApi) {
  const list = api.operation('GET /v0/orgs/:org_id/events', 'query');
  return {
    /** The events after a number. Pass `next_after` of the answer as `after` of the next request. */
    list,
    /**
     * Yields events as they happen, until the signal aborts. While the server is away for less than half a minute, it is asked again. Store `seq` of the last event, and pass it as `after` after a
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
      let after = query.after;
      for (let failures = 0; ; failures += 1) {
        try {
          const feed: EventFeed = await list({ ...query, ...(after !== undefined && { after }), wait: 20 }, options);
          failures = -1;
          after = feed.next_after;
          yield* feed.events;
        } catch (error) {
          if (!isTemporary(error) || failures >= maxFailures) throw error;
          await sleep(backoffMilliseconds(failures), options?.signal);
        }
      }
    },
  };
}
