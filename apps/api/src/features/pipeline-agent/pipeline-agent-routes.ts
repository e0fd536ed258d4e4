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

const tags = ['pipeline agent'];
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

/** Conversations with the agent that builds pipelines; each is the person’s who began it. */
export const pipelineAgentRoutes: FastifyPluginAsyncZod<PipelineAgentRouteOptions> = async (
  app,
  { services: { agentConversations, agentMessages }, admission, streams },
) => {
  app.post(
    path,
    {
      schema: {
        tags,
        operationId: 'createAgentConversation',
        summary: 'Begin a conversation about a source',
        description:
          'Nothing is asked of a model yet. A model is always there: without `LLM_BASE_URL` the built-in demo model answers, and the server does not start with an address that has no `LLM_MODEL`. So no request is refused for want of one.',
        body: createAgentConversationBody,
        errors: ['model_not_enabled', 'source_not_found'],
        response: { 201: createdAgentConversation },
      },
    },
    async (request, reply) => reply.code(201).send(await agentConversations(request.actor).create(request.body)),
  );

  app.get(
    path,
    {
      schema: {
        tags,
        operationId: 'listAgentConversations',
        summary: 'List one’s own conversations with the pipeline agent',
        description: 'The last used first, without their messages.',
        querystring: pageQuery,
        response: { 200: agentConversationList },
      },
    },
    async (request) => agentConversations(request.actor).list(request.query),
  );

  app.get(
    `${path}/:conversation_id`,
    {
      schema: {
        tags,
        operationId: 'getAgentConversation',
        summary: 'Get a conversation with the pipeline agent',
        description:
          'Messages expire after `CONVERSATION_TTL_SECONDS` without activity; the rest stays, and the conversation goes on from it. `is_running` says whether a message is being answered, in whichever process, and `progress` how far that is: read it again every second or two to follow. `source_analysis` and `validation` are what the two sub-agents counted last, the latter with the `pipeline` that was tried; what each sub-agent did for a message is told with it (`subagents`). Where a server ended in the middle of an answer, what it had come to stands among the messages.',
        params: conversationPath,
        errors: ['conversation_not_found'],
        response: { 200: agentConversation },
      },
    },
    async (request) => agentConversations(request.actor).get(request.params.conversation_id),
  );

  app.patch(
    `${path}/:conversation_id`,
    {
      schema: {
        tags,
        operationId: 'abandonAgentConversation',
        summary: 'Abandon a conversation',
        description: 'A message that is being answered is stopped. 400 `conversation_not_active` once it was applied;',
        params: conversationPath,
        body: patchAgentConversationBody.meta({ examples: [{ status: 'abandoned' }] }),
        errors: ['conversation_not_active', 'conversation_not_found', 'message_running'],
        response: { 200: agentConversation },
      },
    },
    async (request) => agentConversations(request.actor).abandon(request.params.conversation_id),
  );

  app.post(
    `${path}/:conversation_id/stop`,
    {
      schema: {
        tags,
        operationId: 'stopAgentAnswer',
        summary: 'Stop the answer under way',
        description:
          'Ends the message that is being answered, in whichever process, and answers once it has ended. What was built stays, and what was said is kept as the agent’s message; its stream ends with `done`.',
        params: conversationPath,
        errors: ['conversation_not_found', 'not_running'],
        response: { 200: agentConversation },
      },
    },
    async (request) => agentConversations(request.actor).stop(request.params.conversation_id),
  );

  app.patch(
    `${path}/:conversation_id/uncertainties/:uncertainty_id`,
    {
      schema: {
        tags,
        operationId: 'resolveUncertainty',
        summary: 'Resolve an uncertainty',
        description:
          '`resolved_by` says what was decided. An uncertainty that blocks keeps the pipeline from being applied until then.',
        params: uncertaintyPath,
        body: resolveUncertaintyBody.meta({ examples: [{ resolved_by: 'user_confirmed' }] }),
        errors: ['conversation_not_found', 'uncertainty_not_found'],
        response: { 200: agentConversation },
      },
    },
    async ({ actor, params, body }) =>
      agentConversations(actor).resolve(params.conversation_id, params.uncertainty_id, body.resolved_by),
  );

  app.post(
    `${path}/:conversation_id/apply`,
    {
      schema: {
        tags,
        operationId: 'applyAgentConversation',
        summary: 'Apply the pipeline',
        description:
          'Makes a collection of the source and ends the conversation; indexing goes on by itself. `force`, which no model can send, passes over uncertainties that block; without it they are 400 `blocking_uncertainty`, named in `details`. `unknown_reference` is the prompt of the extraction that is gone, `source_not_found` a source that was deleted.',
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
      },
    },
    async (request) => agentConversations(request.actor).apply(request.params.conversation_id, request.body),
  );

  app.post(
    `${path}/:conversation_id/messages`,
    {
      sse: 'manual',
      schema: {
        tags,
        operationId: 'sendAgentMessage',
        summary: 'Say something to the pipeline agent',
        description:
          'Streams server-sent events, the name of each being its `type`: `status`, `text`, `tool_call_start`, `tool_call_end`, `subagent_start`, `subagent_end`, `uncertainty`, `pipeline_update`, `question` (the agent proposes to apply: the person does, with `POST …/apply`), then one `done` or `error`. A `status` with `agent_id` is a step of that sub-agent: `message` in words, `done` of `total` where it can be counted. With `Accept: application/json` the answer comes whole. The message is answered whether or not the client stays. One message of a conversation is answered at a time, in whichever process; a model’s service that has too much to do is tried three times; where the server ends (`message_interrupted`) the conversation goes on with the next message.',
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
            description: 'The answer whole, or what is said and done while it is given.',
            content: {
              'application/json': { schema: agentMessageAnswer },
              'text/event-stream': { schema: agentMessageEvent },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const start = () => agentMessages.say(request.actor, request.params.conversation_id, request.body);
      if (wantsJson(request.headers.accept)) return await (await admission.run(request, reply, start)).answer;
      const closing = streams.stream(request, reply);
      const { events } = await admission.run(request, reply, start);
      await sendEvents(reply, closing, events.follow);
      return undefined;
    },
  );
};

function wantsJson(accept: string | undefined): boolean {
  return accept !== undefined && accept.includes('application/json') && !accept.includes('text/event-stream');
}
