import { askBody, modelFailures, objectId } from '@docwright/contract';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { answerOrEvents, answerTurn, turnBodyLimit, type ChatServices } from '../chat/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { ConversationArea } from '../threads/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';

/** Turns and threads of questions belong to no document. */
export const askPlace = '0'.repeat(24);

/** Conversations over many documents. */
export const askConversations: ConversationArea = {
  tag: 'ask',
  path: '/v0/orgs/:org_id/ask',
  // The path has no document.
  params: z.object({ org_id: objectId }) as unknown as ConversationArea['params'],
  placeOf: () => askPlace,
  errors: [],
  operationId: (name) => name.replace(/^([a-z]+)(?:Chat)?/u, '$1Ask'),
};

interface AskRouteOptions {
  services: Pick<ChatServices, 'chat'>;
  admission: TurnAdmission;
  streams: StreamAdmission;
}

/** Questions over many documents, whose answers are checked sentence by sentence. */
export const askRoutes: FastifyPluginAsyncZod<AskRouteOptions> = async (
  app,
  { services: { chat }, admission, streams },
) => {
  const answer = answerTurn({ admission, streams });
  app.post(
    askConversations.path,
    {
      sse: 'manual',
      bodyLimit: turnBodyLimit,
      schema: {
        tags: [askConversations.tag],
        operationId: 'ask',
        summary: 'Ask a question over many documents',
        description:
          'Starts a turn like that of a chat, over the documents of `scope`. Before the answer is done, each sentence is checked against what its citations `[[id]]` hold: `claims` is in the answer, and in an event before `done`. What is unsupported goes back to the model once. The check is a filter and not a proof. `coverage` says which documents lack a result or a value.',
        params: askConversations.params,
        body: askBody.meta({
          examples: [{ messages: [{ role: 'user', content: 'What did we pay Contoso, by currency?' }] }],
        }),
        errors: [
          'last_message_not_user',
          'model_not_enabled',
          'thread_not_found',
          'turn_running',
          'turn_taken_over',
          'turn_timeout',
          'scope_too_large',
          'too_many_streams',
          'too_many_turns',
          ...modelFailures,
        ],
        response: { 200: answerOrEvents },
      },
    },
    (request, reply) => {
      const { scope, ...body } = request.body;
      const ask = { ...(scope && { scope }), ...localeOf(request) };
      const manual = { auto_approve: false, auto_approved_tools: [] };
      return answer(request, reply, body.stream, () =>
        chat.start(request.actor, askPlace, { ...body, ...manual, ask }),
      );
    },
  );
};

/** The first language that the reader's client accepts. */
function localeOf({ headers }: FastifyRequest): { locale?: string } {
  const [first = ''] = (headers['accept-language'] ?? '').split(/[,;]/u);
  return /^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/u.test(first.trim()) ? { locale: first.trim() } : {};
}
