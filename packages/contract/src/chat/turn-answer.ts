import { recordId } from '../base/common.ts';
import { z } from 'zod';
import { usage } from '../extractions/extractions.ts';
import { executedCall, proposedCall } from './tool-call.ts';

/** What the agent last worked with in a thread; given to the model again before every call. */
export const workingState = z.object({
  schema_revid: recordId.nullable(),
  prompt_revid: recordId.nullable(),
  /** null where there is none. */
  extraction: z.unknown(),
});
export type WorkingState = z.infer<typeof workingState>;

export const turnStatus = z.enum([
  'completed',
  'awaiting_approval',
  'awaiting_answers',
  'max_rounds',
  'stopped',
  'superseded',
  'failed',
]);
export type TurnStatus = z.infer<typeof turnStatus>;

export const executedRound = z.object({
  /** Counts from 0 within the turn, over pauses. */
  round_index: z.number().int(),
  text: z.string(),
  thinking: z.string().optional(),
  tool_calls: z.array(executedCall),
});
export type ExecutedRound = z.infer<typeof executedRound>;

/** How much of what the model can be given the last call of a turn took. */
export const turnContext = z.object({
  /** Input and output of that call. */
  tokens: z.number().int(),
  /** Of the conversation, without the system prompt. */
  messages: z.number().int(),
  /** As many messages as a turn begins with: earlier ones are not given to the model any more. */
  max_messages: z.number().int(),
});
export type TurnContext = z.infer<typeof turnContext>;

/** The JSON answer of `POST C` and `POST C/approve`, and the `result` of a `done` event. */
/** Why a turn failed, or ended without a person's word. */
export const turnError = z.object({ code: z.string(), message: z.string() });

export const turnAnswer = z.object({
  thread_id: recordId,
  turn_id: recordId,
  status: turnStatus,
  text: z.string(),
  thinking: z.string().optional(),
  working_state: workingState,
  executed_rounds: z.array(executedRound),
  /** The waiting batch; empty unless `status` is `awaiting_approval` or `awaiting_answers`. */
  tool_calls: z.array(proposedCall),
  /** Sum over the model calls of the turn. */
  usage,
  /** Absent before the first model call. */
  context: turnContext.optional(),
  error: turnError.optional(),
});
export type TurnAnswer = z.infer<typeof turnAnswer>;
