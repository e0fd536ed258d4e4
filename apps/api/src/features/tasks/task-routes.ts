import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import type { Actor } from '../identity/index.ts';
import { requireOwnPath } from './own-path.ts';
import type { Tasks } from './task-service.ts';

/** The CRUD routes of a user's to-do list. */
export const taskRoutes: FastifyPluginAsync<{ services: { tasks: (actor: Actor) => Tasks } }> = async (
  app,
  { services: { tasks: tasksFor } },
) => {
  const route = routesOf(app);

  app.addHook('preValidation', requireOwnPath);

  route('GET /api/v1/:user_id/tasks', ({ actor, query }) => tasksFor(actor).list(query));
  route('POST /api/v1/:user_id/tasks', ({ actor, body }) => tasksFor(actor).create(body));
  route('GET /api/v1/:user_id/tasks/:task_id', ({ actor, params }) => tasksFor(actor).get(params.task_id));
  route('GET /api/v1/:user_id/tasks/:task_id/versions', ({ actor, params, query }) =>
    tasksFor(actor).versions(params.task_id, query),
  );
  route('PUT /api/v1/:user_id/tasks/:task_id', ({ actor, params, body }) =>
    tasksFor(actor).update(params.task_id, body),
  );

  route('PATCH /api/v1/:user_id/tasks/:task_id/complete', async ({ actor, params, body }) => {
    const is_completed = body?.is_completed ?? true;
    return tasksFor(actor).update(params.task_id, { is_completed });
  });

  route('DELETE /api/v1/:user_id/tasks/:task_id', ({ actor, params }) => tasksFor(actor).delete(params.task_id));
};
