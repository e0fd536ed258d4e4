import { describeOperations } from '../base/describe-operations.ts';
import { modelFailures } from '../base/error-codes.ts';
import { pageQuery } from '../base/fields.ts';
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
  patchAgentConversationBody,
  resolveUncertaintyBody,
} from './pipeline-agent.ts';

export const pipelineAgentOperations = describeOperations('pipeline agent', {
  'POST /api/v2/agent/conversations': {
    operationId: 'createAgentConversation',
    summary: 'Start a conversation about a source',
    description:
      'Calls no model yet. A model is always available: without `LLM_BASE_URL` the built-in demo model answers, and with it the server requires `LLM_MODEL`.',
    body: createAgentConversationBody,
    errors: ['model_not_enabled', 'source_not_found'],
    response: { 201: createdAgentConversation },
  },
  'GET /api/v2/agent/conversations': {
    operationId: 'listAgentConversations',
    summary: 'List your conversations with the pipeline agent',
    description: 'Most recently used first, without messages.',
    querystring: pageQuery,
    response: { 200: agentConversationList },
  },
  'GET /api/v2/agent/conversations/:conversation_id': {
    operationId: 'getAgentConversation',
    summary: 'Get a conversation with the pipeline agent',
    description:
      'Messages expire after `CONVERSATION_TTL_SECONDS` without activity; the rest is kept, and the conversation can continue. `is_running` tells whether a message is being answered, in any process, and `progress` shows the unfinished answer: poll every second or two to follow it. `source_analysis` and `validation` are the latest results of the two sub-agents, the latter with the validated `pipeline`; `subagents` of a message lists the steps of its sub-agents. If a server ended during an answer, the unfinished answer is among the messages.',
    errors: ['conversation_not_found'],
    response: { 200: agentConversation },
  },
  'PATCH /api/v2/agent/conversations/:conversation_id': {
    operationId: 'abandonAgentConversation',
    summary: 'Abandon a conversation',
    description: 'Stops an answer in progress. 400 `conversation_not_active` if the pipeline was applied.',
    body: patchAgentConversationBody.meta({ examples: [{ status: 'abandoned' }] }),
    errors: ['conversation_not_active', 'conversation_not_found', 'message_running'],
    response: { 200: agentConversation },
  },
  'POST /api/v2/agent/conversations/:conversation_id/stop': {
    operationId: 'stopAgentAnswer',
    summary: 'Stop the answer in progress',
    description:
      'Stops the answer in progress, in any process, and responds when it has ended. The pipeline is kept, and the text so far becomes the agent’s message; the stream ends with `done`.',
    errors: ['conversation_not_found', 'not_running'],
    response: { 200: agentConversation },
  },
  'PATCH /api/v2/agent/conversations/:conversation_id/uncertainties/:uncertainty_id': {
    operationId: 'resolveUncertainty',
    summary: 'Resolve an uncertainty',
    description:
      '`resolved_by` states the decision. The pipeline cannot be applied while a blocking uncertainty is unresolved.',
    body: resolveUncertaintyBody.meta({ examples: [{ resolved_by: 'user_confirmed' }] }),
    errors: ['conversation_not_found', 'uncertainty_not_found'],
    response: { 200: agentConversation },
  },
  'POST /api/v2/agent/conversations/:conversation_id/apply': {
    operationId: 'applyAgentConversation',
    summary: 'Apply the pipeline',
    description:
      'Creates a collection from the source and ends the conversation; indexing continues in the background. `force`, which no model can send, overrides blocking uncertainties; without it they are 400 `blocking_uncertainty`, listed in `details`. `unknown_reference`: the prompt of the extraction was deleted. `source_not_found`: the source was deleted.',
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
  'POST /api/v2/agent/conversations/:conversation_id/messages': {
    operationId: 'sendAgentMessage',
    summary: 'Send a message to the pipeline agent',
    description:
      'Streams server-sent events, each named by its `type`: `status`, `text`, `tool_call_start`, `tool_call_end`, `subagent_start`, `subagent_end`, `uncertainty`, `pipeline_update`, `question` (the agent proposes to apply; the user applies with `POST …/apply`), then one `done` or `error`. A `status` with `agent_id` is a step of that sub-agent: its `message`, and `done` of `total` if it is counted. With `Accept: application/json` the answer is one JSON body. The message is answered even if the client disconnects. A conversation answers one message at a time, across all processes; an overloaded model provider is tried three times; after a server shutdown (`message_interrupted`) the next message continues the conversation.',
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
  },
});
