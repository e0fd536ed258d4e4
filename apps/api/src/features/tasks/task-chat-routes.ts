import type { FastifyPluginAsync } from 'fastify';
import { routesOf } from '../../platform/http/route.ts';
import { acceptedLanguage } from '../../platform/http/accepted-language.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { requireOwnPath } from './own-path.ts';
import type { TaskChatService } from './task-chat-service.ts';

interface TaskChatRouteOptions {
  services: { taskChat: TaskChatService };
  admission: TurnAdmission;
}

/** The chat with the agent of a user’s to-do list. */
export const taskChatRoutes: FastifyPluginAsync<TaskChatRouteOptions> = async (
  app,
  { services: { taskChat }, admission },
) => {
  const route = routesOf(app);

  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.public !== true) await requireOwnPath(request);
  });

  route('GET /api/v1/agent/health', { config: { public: true } }, () => ({ status: 'healthy' as const }));

  route('POST /api/v1/agent/:user_id/chat', async (request, reply) => {
    const run = await admission.run(request, reply, () =>
      taskChat.send(request.actor, { ...request.body, ...acceptedLanguage(request) }),
    );
    return await run.answer;
  });

  route('GET /api/v1/agent/:user_id/conversations', ({ actor, query }) => taskChat.list(actor, query));
  route('GET /api/v1/agent/:user_id/conversations/:conversation_id', ({ actor, params }) =>
    taskChat.get(actor, params.conversation_id),
  );
};
