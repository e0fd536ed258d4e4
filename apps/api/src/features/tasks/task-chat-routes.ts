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
import { operationsOf } from '../../platform/http/operation.ts';
import { acceptedLanguage } from '../../platform/http/accepted-language.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { requireOwnPath, userPath } from './own-path.ts';
import type { TaskChatService } from './task-chat-service.ts';

const operation = operationsOf('task agent');
const path = '/api/v1/agent/:user_id';
const conversationPath = userPath.extend({ conversation_id: z.coerce.number().int() });

interface TaskChatRouteOptions {
  services: { taskChat: TaskChatService };
  admission: TurnAdmission;
}

/** The chat with the agent of a user’s to-do list. */
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
      ...operation({
        operationId: 'getTaskAgentHealth',
        summary: 'Check whether the task agent is available',
        response: { 200: healthAnswer },
      }),
    },
    async () => ({ status: 'healthy' as const }),
  );

  app.post(
    `${path}/chat`,
    operation({
      operationId: 'chatAboutTasks',
      summary: 'Send a message to the task agent',
      description:
        'Answers with complete JSON, without a stream. `conversation_id: null` starts a conversation; else its last 20 messages are the history, oldest first. History in the request is rejected (422). The message is stored before the agent runs, the answer after it. Writes to one’s own list need no approval; they do not run if a permission rule denies the tool or requires approval, which is not possible here, or if the user is a viewer. Every call is in the audit log, without a document. There is no undo: `delete_task` returns the deleted task. 500 `agent_unavailable` is a failure before the first call; a later failure is answered with the calls so far.',
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
        'never_to_model',
        'model_quota_exhausted',
        'model_without_price',
        'model_rate_limited',
      ],
      response: { 200: taskChatAnswer },
    }),
    async (request, reply) => {
      const run = await admission.run(request, reply, () =>
        taskChat.send(request.actor, { ...request.body, ...acceptedLanguage(request) }),
      );
      return await run.answer;
    },
  );

  app.get(
    `${path}/conversations`,
    operation({
      operationId: 'listTaskConversations',
      summary: 'List the caller’s conversations with the task agent',
      description: 'Last used first.',
      params: userPath,
      querystring: pageQuery,
      errors: ['not_your_path'],
      response: { 200: taskConversationList },
    }),
    async (request) => taskChat.list(request.actor, request.query),
  );

  app.get(
    `${path}/conversations/:conversation_id`,
    operation({
      operationId: 'getTaskConversation',
      summary: 'Get a conversation with all of its messages',
      description: 'Oldest first, each with the calls of the agent.',
      params: conversationPath,
      errors: ['not_your_path', 'not_your_conversation', 'conversation_not_found'],
      response: { 200: taskConversationDetail },
    }),
    async (request) => taskChat.get(request.actor, request.params.conversation_id),
  );
};
