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
import type { TurnAdmission } from '../chat/admission/turn-admission.ts';
import { requireOwnPath, userPath } from './own-path.ts';
import type { TaskChatService } from './task-chat-service.ts';

const tags = ['task agent'];
const path = '/api/v1/agent/:user_id';
const conversationPath = userPath.extend({ conversation_id: z.coerce.number().int() });

export interface TaskChatRouteOptions {
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
      schema: { tags, summary: 'Whether the task agent is served', response: { 200: healthAnswer } },
    },
    async () => ({ status: 'healthy' as const }),
  );

  app.post(
    `${path}/chat`,
    {
      schema: {
        tags,
        summary: 'Say something to the task agent',
        description:
          'Answers complete JSON at once. `conversation_id: null` begins a conversation; else its last 20 messages are the history, oldest first, and the new one follows them. History in the request is refused (422). The message is stored before the agent runs, its answer after. Writes to one’s own list are not asked about: what the person says is done, unless a permission rule denies the tool or wants it asked, which cannot be done here; a viewer’s writes never run. Every call is in the audit log, without a document. Nothing is undone by the server: `delete_task` gives the task as it was. 400 `empty_message`; 402 where the budget of the organization (`X-Org-Id`) is used up; 403 where `user_id` is not the signed-in person or the conversation is another’s; 404 `conversation_not_found`; 409 `turn_running` while another message of the conversation is being answered; 429 `too_many_turns`; 500 `agent_unavailable` where the agent failed before it had done anything. A failure after that is answered with what was done.',
        params: userPath,
        body: taskChatBody,
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
        summary: 'One’s own conversations with the task agent',
        description: 'The last used first.',
        params: userPath,
        querystring: pageQuery,
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
        summary: 'A conversation with all of its messages',
        description: 'The oldest first, each with what the agent did. 403 where it is another’s.',
        params: conversationPath,
        response: { 200: taskConversationDetail },
      },
    },
    async (request) => taskChat.get(request.actor, request.params.conversation_id),
  );
};
