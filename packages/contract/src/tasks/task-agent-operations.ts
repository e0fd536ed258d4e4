import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { pageQuery } from '../base/fields.ts';
import { healthAnswer } from '../base/health.ts';
import { taskChatAnswer, taskChatBody, taskConversationDetail, taskConversationList } from './task-chat.ts';

export const taskAgentOperations = describeOperations('task agent', {
  'GET /api/v1/agent/health': {
    operationId: 'getTaskAgentHealth',
    summary: 'Check whether the task agent is available',
    response: { 200: healthAnswer },
  },
  'POST /api/v1/agent/:user_id/chat': {
    operationId: 'chatAboutTasks',
    summary: 'Send a message to the task agent',
    description:
      'Answers with complete JSON, without a stream. `conversation_id: null` starts a conversation; else its last 20 messages are the history, oldest first. History in the request is rejected (422). The message is stored before the agent runs, the answer after it. Writes to one’s own list need no approval; they do not run if a permission rule denies the tool or requires approval, which is not possible here, or if the user is a viewer. Every call is in the audit log, without a document. There is no undo: `delete_task` returns the deleted task. 500 `agent_unavailable` is a failure before the first call; a later failure is answered with the calls so far.',
    params: { user_id: z.string() },
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
  },
  'GET /api/v1/agent/:user_id/conversations': {
    operationId: 'listTaskConversations',
    summary: 'List the caller’s conversations with the task agent',
    description: 'Last used first.',
    params: { user_id: z.string() },
    querystring: pageQuery,
    errors: ['not_your_path'],
    response: { 200: taskConversationList },
  },
  'GET /api/v1/agent/:user_id/conversations/:conversation_id': {
    operationId: 'getTaskConversation',
    summary: 'Get a conversation with all of its messages',
    description: 'Oldest first, each with the calls of the agent.',
    params: { user_id: z.string(), conversation_id: z.coerce.number().int() },
    errors: ['not_your_path', 'not_your_conversation', 'conversation_not_found'],
    response: { 200: taskConversationDetail },
  },
});
