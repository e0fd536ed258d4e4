import { z } from 'zod';
import { describeOperations } from '../base/describe-operations.ts';
import { jsonObject, pageInfo, pageQuery, timestamp } from '../base/fields.ts';
import { healthAnswer } from '../base/health-operations.ts';

/** Strict: the server has the history, and refuses one from the client instead of ignoring it. */
export const taskChatBody = z.strictObject({
  /** Must not be empty: 400. */
  message: z.string().max(10_000).nullish(),
  /** Null or omitted: starts a conversation. */
  conversation_id: z.number().int().nullish(),
});
export type TaskChatBody = z.infer<typeof taskChatBody>;

/** Maximum number of characters of the task agent's answer. A longer one is cut, with a note. */
export const maxAgentResponse = 5_000;

/** A call of the agent. `result` is the tool's result, or `{ "error": "…" }`. */
export const taskToolCall = z.object({ tool_name: z.string(), arguments: jsonObject, result: z.unknown() });
export type TaskToolCall = z.infer<typeof taskToolCall>;

export const taskChatAnswer = z.object({
  conversation_id: z.number().int(),
  user_message_id: z.number().int(),
  agent_message_id: z.number().int(),
  agent_response: z.string().min(1).max(maxAgentResponse),
  /** In the order in which they ran. */
  tool_calls: z.array(taskToolCall),
});
export type TaskChatAnswer = z.infer<typeof taskChatAnswer>;

const conversationFields = {
  id: z.number().int(),
  /** The beginning of its first message. */
  title: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const taskConversation = z.object(conversationFields);
export type TaskConversation = z.infer<typeof taskConversation>;
export const taskConversationList = pageInfo.extend({ conversations: z.array(taskConversation) });

export const taskMessage = z.object({
  id: z.number().int(),
  role: z.enum(['user', 'assistant']),
  content: z.string(),
  /** Empty for a user's message. */
  tool_calls: z.array(taskToolCall),
  created_at: timestamp,
});
export type TaskMessage = z.infer<typeof taskMessage>;

/** A conversation with all of its messages, the oldest first. */
export const taskConversationDetail = z.object({ ...conversationFields, messages: z.array(taskMessage) });
export type TaskConversationDetail = z.infer<typeof taskConversationDetail>;

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
