import { callEvaluationStarted, chatBody, evaluateCallBody, modelFailures, objectId } from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { operationsOf } from '../../platform/http/operation.ts';
import { acceptedLanguage } from '../../platform/http/accepted-language.ts';
import { requireScope } from '../identity/index.ts';
import type { StreamAdmission } from '../stream-admission/index.ts';
import type { TurnAdmission } from '../turn-admission/index.ts';
import { answerOrEvents, answerTurn, streaming, turnBodyLimit } from './answer-turn.ts';
import type { ChatService } from './chat-service.ts';
import type { TurnService } from './turn-service.ts';

const operation = operationsOf('chat');
const documentPath = z.object({ org_id: objectId, document_id: objectId });
const path = '/v0/orgs/:org_id/documents/:document_id/chat';

interface ChatRouteServices {
  chat: ChatService;
  turns: TurnService;
}

/** The conversation with the agent of one document. */
export const chatRoutes: FastifyPluginAsyncZod<{
  services: ChatRouteServices;
  admission: TurnAdmission;
  streams: StreamAdmission;
}> = async (app, { services: { chat, turns }, admission, streams }) => {
  const answer = answerTurn({ admission, streams });

  app.post(
    path,
    {
      sse: 'manual',
      bodyLimit: turnBodyLimit,
      ...operation({
        operationId: 'chat',
        summary: 'Send a message to the agent',
        description: `Starts a turn. With \`thread_id\` the stored thread is the history; without it a new thread is created. A pending turn of the thread is superseded. While a turn of the thread runs the answer is 409 \`turn_running\`. ${streaming}`,
        params: documentPath,
        body: chatBody.meta({
          examples: [
            { messages: [{ role: 'user', content: 'Create a schema for this invoice and extract it.' }] },
            {
              thread_id: '6650f1c2a4b3d2e1f0a9b8c7',
              messages: [{ role: 'user', content: 'The total is 120.50.' }],
              auto_approved_tools: ['update_extraction_field'],
              stream: true,
            },
          ],
        }),
        errors: [
          'auto_approve_needs_stream',
          'last_message_not_user',
          'model_not_enabled',
          'thread_id_missing',
          'thread_shorter',
          'unknown_reference',
          'unknown_tool',
          'document_not_found',
          'thread_not_found',
          'turn_running',
          'turn_taken_over',
          'turn_timeout',
          'too_many_streams',
          'too_many_turns',
          ...modelFailures,
        ],
        response: { 200: answerOrEvents },
      }),
    },
    async (request, reply) => {
      const { auto_approve, auto_approved_tools, stream } = request.body;
      // Automatic approval is a decision.
      if (auto_approve || auto_approved_tools.length > 0) requireScope(request.principal, 'decide');
      return await answer(request, reply, stream, () =>
        chat.start(request.actor, request.params.document_id, { ...request.body, ...acceptedLanguage(request) }),
      );
    },
  );

  app.post(
    `${path}/turns/:turn_id/calls/:call_id/evaluate`,
    operation({
      operationId: 'evaluateCall',
      summary: 'Measure the effect of a pending call',
      description:
        'For the user of the turn and a pending `update_prompt` or `update_schema`: extracts from verified documents with the proposed change and compares the results. The turn stays pending; `preview.evaluation` of its call has the evaluation from now on. A change to a schema measures every prompt that is linked to it. With `evaluation_id` in the decision, the call runs only if it is still the call that was measured.',
      params: documentPath.extend({ turn_id: objectId, call_id: z.string().max(200) }),
      body: evaluateCallBody.nullish(),
      errors: [
        'document_not_found',
        'turn_not_found',
        'call_not_found',
        'turn_not_waiting',
        'not_measurable',
        'nothing_verified',
        'nothing_comparable',
        'unknown_reference',
        'invalid_schema',
        'model_not_enabled',
        'budget_exhausted',
        'prompt_not_found',
        'viewer_cannot_write',
        'too_many_evaluations',
      ],
      response: { 202: callEvaluationStarted },
    }),
    async (request, reply) => {
      const { document_id, turn_id, call_id } = request.params;
      return reply
        .code(202)
        .send(await turns.evaluate(request.actor, document_id, turn_id, call_id, request.body ?? {}));
    },
  );
};
