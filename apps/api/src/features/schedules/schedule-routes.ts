import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import type { ScheduleService } from './schedule-service.ts';

export const scheduleRoutes: FastifyPluginAsync<{
  services: { schedules: (actor: Actor) => ScheduleService };
}> = async (app, { services: { schedules } }) => {
  const route = routesOf(app);
  route('GET /v0/orgs/:org_id/schedules', ({ actor, query }) => schedules(actor).list(query));
  route('POST /v0/orgs/:org_id/schedules', ({ actor, body }) => schedules(actor).create(body));
  route('POST /v0/orgs/:org_id/schedules/next_times', ({ actor, body }) => schedules(actor).nextTimes(body));
  route('GET /v0/orgs/:org_id/schedules/:schedule_id', ({ actor, params }) => schedules(actor).get(params.schedule_id));
  route('PATCH /v0/orgs/:org_id/schedules/:schedule_id', ({ actor, params, body }) =>
    schedules(actor).update(params.schedule_id, body),
  );
  route('DELETE /v0/orgs/:org_id/schedules/:schedule_id', ({ actor, params }) =>
    schedules(actor).delete(params.schedule_id),
  );
  route('POST /v0/orgs/:org_id/schedules/:schedule_id/run', ({ actor, params }) =>
    schedules(actor).run(params.schedule_id),
  );
  route('GET /v0/orgs/:org_id/schedules/:schedule_id/runs', ({ actor, params, query }) =>
    schedules(actor).runsOf(params.schedule_id, query),
  );
};
