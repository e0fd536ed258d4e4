import { z } from 'zod';
import { jsonObject, pageInfo, timestamp } from '../base/fields.ts';

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
