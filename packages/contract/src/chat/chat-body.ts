import { z } from 'zod';
import { objectId, timeZone } from '../base/fields.ts';
import { reasoningLevel } from '../llm/model-dialect.ts';
import { planStepDecision } from './plan.ts';

/** A message in OpenAI's format. Calls in a client's history are never run. */
export const chatMessage = z.object({
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.string().max(200_000).nullable(),
  tool_calls: z
    .array(
      z.object({
        id: z.string().max(10_000),
        type: z.literal('function').default('function'),
        function: z.object({ name: z.string().max(200), arguments: z.string().max(1_000_000) }),
      }),
    )
    .max(100)
    .optional(),
  tool_call_id: z.string().max(10_000).optional(),
});
export type ChatMessage = z.infer<typeof chatMessage>;

/** An object that a message refers to. `id` is a revision id for schemas and prompts, and a tag id for tags. */
export const mention = z.object({ type: z.enum(['schema', 'prompt', 'tag']), id: z.string().max(100) });
export type Mention = z.infer<typeof mention>;

export const chatBody = z.object({
  messages: z.array(chatMessage).min(1).max(1000),
  mentions: z.array(mention).max(50).optional(),
  model: z.string().min(1).max(200).optional(),
  /** How much the model thinks. Omitted: as before in the thread; null: as the model's setting says. */
  reasoning: reasoningLevel.nullable().optional(),
  stream: z.boolean().default(false),
  auto_approve: z.boolean().default(false),
  auto_approved_tools: z.array(z.string().max(200)).max(100).default([]),
  thread_id: objectId.optional(),
  /** The user's time zone as an IANA name, for dates such as today and tomorrow. The organization's by default. */
  time_zone: timeZone.optional(),
  truncate_thread_to_message_count: z.number().int().min(0).optional(),
});
export type ChatBody = z.infer<typeof chatBody>;

export const callDecision = z.object({
  call_id: z.string().max(200),
  approved: z.boolean(),
  reason: z.string().max(2000).optional(),
  /** Replaces the call's arguments: a JSON string, as in the call. */
  arguments: z.string().max(1_000_000).optional(),
  remember: z.enum(['thread', 'document', 'organization']).optional(),
  /** For a plan: steps to remove or to edit. */
  steps: z.array(planStepDecision).max(100).optional(),
  /** The call runs only if this evaluation still applies to it. */
  evaluation_id: objectId.optional(),
});
export type CallDecision = z.infer<typeof callDecision>;

export const callAnswers = z.object({
  call_id: z.string().max(200),
  answers: z
    .array(
      z.object({
        question_id: z.string().max(200),
        option_ids: z.array(z.string().max(200)).max(100),
        other: z.string().max(10_000).optional(),
      }),
    )
    .max(100),
});
export type CallAnswers = z.infer<typeof callAnswers>;

export const approveBody = z.object({
  turn_id: objectId,
  approvals: z.array(callDecision).max(100).default([]),
  answers: z.array(callAnswers).max(100).optional(),
  stream: z.boolean().default(false),
});
export type ApproveBody = z.infer<typeof approveBody>;
