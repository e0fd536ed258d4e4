import { z } from 'zod';
import { jsonObject, objectId, pageInfo, pageQuery, recordId, timestamp, yesOrNo } from './base/common.ts';

/** A task's id: a uuid. */
export const taskId = z.guid('A task’s id is a uuid.').toLowerCase();

/** One line of text: line breaks and control characters become spaces. */
export const taskTitle = z
  .string()
  .overwrite((text) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim())
  .min(1, 'A task needs a title.')
  .max(300);
export const taskDescription = z.string().trim().max(5000);

/** When something is due: a date and time with its zone, or a date alone (`2026-11-27`), which is stored without a time. */
export const dueAt = z
  .string()
  .max(40)
  .transform((text, context) => {
    if (isDateAlone(text) && isNear(text)) return text;
    if (z.iso.datetime({ offset: true }).safeParse(text).success && isNear(text)) return new Date(text).toISOString();
    context.addIssue('A due date is written 2026-11-27, or with time and zone 2026-11-27T15:00:00Z.');
    return z.NEVER;
  });

/** Whether it is `2026-11-27`, without a time. */
export function isDateAlone(text: string): boolean {
  return z.iso.date().safeParse(text).success;
}

function isNear(moment: string): boolean {
  const year = new Date(moment).getUTCFullYear();
  return year >= 1900 && year < 2200;
}

/** A user's task. Optional fields are absent if they are not set. */
export const task = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string().optional(),
  is_completed: z.boolean(),
  /** Also absent while the document is deleted. */
  document_id: recordId.optional(),
  /** As it was given: `2026-11-27`, or a date and time in UTC. */
  due_at: z.string().optional(),
  created_at: timestamp,
});
export type Task = z.infer<typeof task>;

export const taskList = pageInfo.extend({ tasks: z.array(task) });
export const taskListQuery = pageQuery.extend({
  is_completed: yesOrNo.optional(),
  /** Part of the title. */
  title_search: z.string().max(300).optional(),
  document_id: objectId.optional(),
});

export const createTaskBody = z.object({
  title: taskTitle,
  description: taskDescription.nullish(),
  document_id: objectId.nullish(),
  due_at: dueAt.nullish(),
});
export type CreateTaskBody = z.output<typeof createTaskBody>;

/** Omitted fields are unchanged; null removes a value. */
export const updateTaskBody = z.object({
  title: taskTitle.optional(),
  description: taskDescription.nullish(),
  document_id: objectId.nullish(),
  due_at: dueAt.nullish(),
  is_completed: z.boolean().optional(),
});
export type UpdateTaskBody = z.output<typeof updateTaskBody>;

/** Without a body or the field, the task is completed. */
export const completeTaskBody = z.object({ is_completed: z.boolean().default(true) }).nullish();

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
