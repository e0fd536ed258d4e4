import { z } from 'zod';
import { pageInfo, timestamp } from '../common.ts';
import { mention } from './chat-body.ts';
import { toolCall } from './tool-call.ts';
import { turnAnswer, workingState } from './turn-answer.ts';

export const threadTitle = z.string().trim().min(1).max(200);

export const threadSummary = z.object({
  id: z.string(),
  title: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  model: z.string().optional(),
});
export type ThreadSummary = z.infer<typeof threadSummary>;
export const threadList = pageInfo.extend({ threads: z.array(threadSummary) });

/** A stored message. A `tool` message carries the result of `tool_call_id` as JSON text. */
export const threadMessage = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.string(),
  thinking: z.string().optional(),
  tool_calls: z.array(toolCall).optional(),
  tool_call_id: z.string().optional(),
  success: z.boolean().optional(),
  mentions: z.array(mention).optional(),
  created_at: timestamp,
});
export type ThreadMessage = z.infer<typeof threadMessage>;

export const thread = threadSummary.extend({
  working_state: workingState,
  messages: z.array(threadMessage),
  /** The turn that waits for a decision, as its answer was given. */
  pending_turn: turnAnswer.optional(),
});
export type Thread = z.infer<typeof thread>;

export const createThreadBody = z.object({ title: threadTitle.optional() });
export const createThreadAnswer = z.object({ thread_id: z.string() });
export const patchThreadBody = z.object({ title: threadTitle });
