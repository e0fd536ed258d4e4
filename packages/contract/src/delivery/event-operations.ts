import { describeOperations } from '../base/describe-operations.ts';
import { eventFeed, eventQuery } from './events.ts';

export const eventOperations = describeOperations('events', {
  'GET /v0/orgs/:org_id/events': {
    operationId: 'listEvents',
    summary: 'Read the events of the organization',
    description:
      'A feed that loses nothing: pass `next_after` of each answer as `after` of the next request. `seq` is dense in the order in which events become visible, so an event never appears before one that was already answered. Events are kept for 30 days; if some after `after` were deleted, the answer is 410 `events_gone` with the number of the oldest. `wait` holds the request open until there is an event. `include=result` adds the result of an event about one, or `result_url` if it is larger than 256 kB.',
    querystring: eventQuery,
    errors: ['events_gone', 'too_many_streams'],
    response: { 200: eventFeed },
  },
});
