import {
  healthAnswer,
  pageQuery,
  taskChatAnswer,
  taskChatBody,
  taskConversationDetail,
  taskConversationList,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { requireOwnPath, userPath } from './own-path.ts';
import type { TaskChatService } from './task-chat-service.ts';

const tags = ['task agent'];
const path = '/api/v1/agent/:user_id';
const conversationPath = userPath.extend({ conversation_id: z.coerce.number().int() });

interface TaskChatRouteOptions {
  services: { taskChat: TaskChatService };
  admission: TurnAdmission;
}

/** The conversation in which a person’s to-do list is kept. */
export const taskChatRoutes: FastifyPluginAsyncZod<TaskChatRouteOptions> = async (
  app,
  { services: { taskChat }, admission },
) => {
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.public !== true) await requireOwnPath(request);
  });

  app.get(
    '/api/v1/agent/health',
    {
      config: { public: true },
      schema: {
        tags,
        operationId: 'getTaskAgentHealth',
        summary: 'Whether the task agent is served',
        response: { 200: healthAnswer },
      },
    },
    async () => ({ status: 'healthy' as const }),
  );

  app.post(
    `${path}/chat`,
    {
      schema: {
        tags,
        operationId: 'chatAboutTasks',
        summary: 'Say something to the task agent',
        description:
          'Answers complete JSON at once. `conversation_id: null` begins a conversation; else its last 20 messages are the history, oldest first, and the new one follows them. History in the request is refused (422). The message is stored before the agent runs, its answer after. Writes to one’s own list are not asked about: what the person says is done, unless a permission rule denies the tool or wants it asked, which cannot be done here; a viewer’s writes never run. Every call is in the audit log, without a document. Nothing is undone by the server: `delete_task` gives the task as it was. 500 `agent_unavailable` is a failure before anything was done; one after that is answered with what was done.',
        params: userPath,
        body: taskChatBody.meta({
          examples: [{ message: 'Remind me to check the invoice of Contoso tomorrow.', conversation_id: null }],
        }),
        errors: [
          'empty_message',
          'not_your_path',
          'not_your_conversation',
          'conversation_not_found',
          'answer_interrupted',
          'turn_running',
          'agent_unavailable',
          'too_many_turns',
          'budget_exhausted',
          'model_quota_exhausted',
          'model_rate_limited',
        ],
        response: { 200: taskChatAnswer },
      },
    },
    async (request, reply) => {
      const run = await admission.run(request, reply, () => taskChat.say(request.actor, request.body));
      return await run.answer;
    },
  );

  app.get(
    `${path}/conversations`,
    {
      schema: {
        tags,
        operationId: 'listTaskConversations',
        summary: 'List one’s own conversations with the task agent',
        description: 'The last used first.',
        params: userPath,
        querystring: pageQuery,
        errors: ['not_your_path'],
        response: { 200: taskConversationList },
      },
    },
    async (request) => taskChat.list(request.actor, request.query),
  );

  app.get(
    `${path}/conversations/:conversation_id`,
    {
      schema: {
        tags,
        operationId: 'getTaskConversation',
        summary: 'Get a conversation with all of its messages',
        description: 'The oldest first, each with what the agent did.',
        params: conversationPath,
        errors: ['not_your_path', 'not_your_conversation', 'conversation_not_found'],
        response: { 200: taskConversationDetail },
      },
    },
    async (request) => taskChat.get(request.actor, request.params.conversation_id),
  );
};
