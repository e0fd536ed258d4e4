import { operationsOf } from '../../platform/http/operation.ts';
import { acceptedLanguage } from '../../platform/http/accepted-language.ts';
import {
  agentConversation,
  agentConversationList,
  agentMessageAnswer,
  agentMessageBody,
  agentMessageEvent,
  appliedConversation,
  applyConversationBody,
  createAgentConversationBody,
  createdAgentConversation,
  objectId,
  pageQuery,
  patchAgentConversationBody,
  resolveUncertaintyBody,
  modelFailures,
} from '@docwright/contract';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { StreamAdmission } from '../stream-admission/index.ts';
import { z } from 'zod';
import type { TurnAdmission } from '../turn-admission/index.ts';
import type { Actor } from '../identity/index.ts';
import { sendEvents } from '../../platform/streams/event-stream.ts';
import type { AgentConversationService } from './conversation-service.ts';
import type { AgentMessageService } from './message-service.ts';

const operation = operationsOf('pipeline agent');
const path = '/api/v2/agent/conversations';
const conversationPath = z.object({ conversation_id: objectId });
const uncertaintyPath = conversationPath.extend({ uncertainty_id: objectId });

interface PipelineAgentRouteOptions {
  services: {
    agentConversations: (actor: Actor) => AgentConversationService;
    agentMessages: AgentMessageService;
  };
  admission: TurnAdmission;
  streams: StreamAdmission;
}

/** Conversations with the agent that builds pipelines; each belongs to the user who started it. */
export const pipelineAgentRoutes: FastifyPluginAsyncZod<PipelineAgentRouteOptions> = async (
  app,
  { services: { agentConversations, agentMessages }, admission, streams },
) => {
  app.post(
    path,
    operation({
      operationId: 'createAgentConversation',
      summary: 'Start a conversation about a source',
      description:
        'Calls no model yet. A model is always available: without `LLM_BASE_URL` the built-in demo model answers, and with it the server requires `LLM_MODEL`.',
      body: createAgentConversationBody,
      errors: ['model_not_enabled', 'source_not_found'],
      response: { 201: createdAgentConversation },
    }),
    async (request, reply) => reply.code(201).send(await agentConversations(request.actor).create(request.body)),
  );

  app.get(
    path,
    operation({
      operationId: 'listAgentConversations',
      summary: 'List your conversations with the pipeline agent',
      description: 'Most recently used first, without messages.',
      querystring: pageQuery,
      response: { 200: agentConversationList },
    }),
    async (request) => agentConversations(request.actor).list(request.query),
  );

  app.get(
    `${path}/:conversation_id`,
    operation({
      operationId: 'getAgentConversation',
      summary: 'Get a conversation with the pipeline agent',
      description:
        'Messages expire after `CONVERSATION_TTL_SECONDS` without activity; the rest is kept, and the conversation can continue. `is_running` tells whether a message is being answered, in any process, and `progress` shows the unfinished answer: poll every second or two to follow it. `source_analysis` and `validation` are the latest results of the two sub-agents, the latter with the validated `pipeline`; `subagents` of a message lists the steps of its sub-agents. If a server ended during an answer, the unfinished answer is among the messages.',
      params: conversationPath,
      errors: ['conversation_not_found'],
      response: { 200: agentConversation },
    }),
    async (request) => agentConversations(request.actor).get(request.params.conversation_id),
  );

  app.patch(
    `${path}/:conversation_id`,
    operation({
      operationId: 'abandonAgentConversation',
      summary: 'Abandon a conversation',
      description: 'Stops an answer in progress. 400 `conversation_not_active` if the pipeline was applied.',
      params: conversationPath,
      body: patchAgentConversationBody.meta({ examples: [{ status: 'abandoned' }] }),
      errors: ['conversation_not_active', 'conversation_not_found', 'message_running'],
      response: { 200: agentConversation },
    }),
    async (request) => agentConversations(request.actor).abandon(request.params.conversation_id),
  );

  app.post(
    `${path}/:conversation_id/stop`,
    operation({
      operationId: 'stopAgentAnswer',
      summary: 'Stop the answer in progress',
      description:
        'Stops the answer in progress, in any process, and responds when it has ended. The pipeline is kept, and the text so far becomes the agent’s message; the stream ends with `done`.',
      params: conversationPath,
      errors: ['conversation_not_found', 'not_running'],
      response: { 200: agentConversation },
    }),
    async (request) => agentConversations(request.actor).stop(request.params.conversation_id),
  );

  app.patch(
    `${path}/:conversation_id/uncertainties/:uncertainty_id`,
    operation({
      operationId: 'resolveUncertainty',
      summary: 'Resolve an uncertainty',
      description:
        '`resolved_by` states the decision. The pipeline cannot be applied while a blocking uncertainty is unresolved.',
      params: uncertaintyPath,
      body: resolveUncertaintyBody.meta({ examples: [{ resolved_by: 'user_confirmed' }] }),
      errors: ['conversation_not_found', 'uncertainty_not_found'],
      response: { 200: agentConversation },
    }),
    async ({ actor, params, body }) =>
      agentConversations(actor).resolve(params.conversation_id, params.uncertainty_id, body.resolved_by),
  );

  app.post(
    `${path}/:conversation_id/apply`,
    operation({
      operationId: 'applyAgentConversation',
      summary: 'Apply the pipeline',
      description:
        'Creates a collection from the source and ends the conversation; indexing continues in the background. `force`, which no model can send, overrides blocking uncertainties; without it they are 400 `blocking_uncertainty`, listed in `details`. `unknown_reference`: the prompt of the extraction was deleted. `source_not_found`: the source was deleted.',
      params: conversationPath,
      body: applyConversationBody.meta({ examples: [{ collection_name: 'Contracts', force: false }] }),
      errors: [
        'blocking_uncertainty',
        'conversation_not_active',
        'embeddings_not_configured',
        'invalid_pipeline',
        'invalid_plugin_config',
        'no_pipeline',
        'source_empty',
        'source_too_large',
        'unknown_plugin',
        'unknown_reference',
        'viewer_cannot_write',
        'conversation_not_found',
        'source_not_found',
        'conversation_taken_over',
        'message_running',
        'too_many_collections',
      ],
      response: { 200: appliedConversation },
    }),
    async (request) => agentConversations(request.actor).apply(request.params.conversation_id, request.body),
  );

  app.post(
    `${path}/:conversation_id/messages`,
    {
      sse: 'manual',
      ...operation({
        operationId: 'sendAgentMessage',
        summary: 'Send a message to the pipeline agent',
        description:
          'Streams server-sent events, each named by its `type`: `status`, `text`, `tool_call_start`, `tool_call_end`, `subagent_start`, `subagent_end`, `uncertainty`, `pipeline_update`, `question` (the agent proposes to apply; the user applies with `POST …/apply`), then one `done` or `error`. A `status` with `agent_id` is a step of that sub-agent: its `message`, and `done` of `total` if it is counted. With `Accept: application/json` the answer is one JSON body. The message is answered even if the client disconnects. A conversation answers one message at a time, across all processes; an overloaded model provider is tried three times; after a server shutdown (`message_interrupted`) the next message continues the conversation.',
        params: conversationPath,
        body: agentMessageBody.meta({ examples: [{ message: 'Make these contracts searchable by clause.' }] }),
        errors: [
          'conversation_not_active',
          'model_not_enabled',
          'conversation_not_found',
          'source_not_found',
          'conversation_taken_over',
          'message_running',
          'turn_timeout',
          'message_interrupted',
          'too_many_streams',
          'too_many_turns',
          ...modelFailures,
        ],
        response: {
          200: {
            description: 'The whole answer, or its events.',
            content: {
              'application/json': { schema: agentMessageAnswer },
              'text/event-stream': { schema: agentMessageEvent },
            },
          },
        },
      }),
    },
    async (request, reply) => {
      const start = () =>
        agentMessages.send(request.actor, request.params.conversation_id, {
          ...request.body,
          ...acceptedLanguage(request),
        });
      if (wantsJson(request.headers.accept)) return await (await admission.run(request, reply, start)).answer;
      const closing = streams.stream(request, reply);
      const { events } = await admission.run(request, reply, start);
      await sendEvents(reply, closing, events.subscribe);
      return undefined;
    },
  );
};

function wantsJson(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes('application/json') && !accept.includes('text/event-stream');
}
