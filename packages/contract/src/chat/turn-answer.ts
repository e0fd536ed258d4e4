import { z } from 'zod';
import { askCoverage, claim } from '../ask/claims.ts';
import { recordId } from '../base/fields.ts';
import { usage } from '../extractions/extractions.ts';
import { executedCall, proposedCall } from './tool-call.ts';

/** The objects that the agent last worked with in a thread. Every request to the model contains them. */
export const workingState = z.object({
  schema_revid: recordId.nullable(),
  prompt_revid: recordId.nullable(),
  /** null if there is none. */
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

/** The size of the last model call of a turn. */
export const turnContext = z.object({
  /** Input and output tokens of the call. */
  tokens: z.number().int(),
  /** Number of messages, without the system prompt. */
  messages: z.number().int(),
  /** Maximum number of messages at the start of a turn; earlier ones are not sent to the model. */
  max_messages: z.number().int(),
});
export type TurnContext = z.infer<typeof turnContext>;

/** The reason why a turn failed, or ended without a user's decision. */
export const turnError = z.object({ code: z.string(), message: z.string() });

/** The JSON answer of a chat message and of an approval, and the `result` of a `done` event. */
export const turnAnswer = z.object({
  thread_id: recordId,
  turn_id: recordId,
  status: turnStatus,
  text: z.string(),
  thinking: z.string().optional(),
  working_state: workingState,
  executed_rounds: z.array(executedRound),
  /** The pending batch; empty unless `status` is `awaiting_approval` or `awaiting_answers`. */
  tool_calls: z.array(proposedCall),
  /** Sum over the model calls of the turn. */
  usage,
  /** Absent before the first model call. */
  context: turnContext.optional(),
  error: turnError.optional(),
  /** The sentences of an answer over many documents, each checked against what it cites. */
  claims: z.array(claim).optional(),
  coverage: askCoverage.optional(),
});
export type TurnAnswer = z.infer<typeof turnAnswer>;

/** The undone calls of a turn, the newest first, and the thread's working state afterwards. */
export const undoAnswer = z.object({
  undone: z.array(z.object({ call_id: z.string(), tool: z.string() })),
  working_state: workingState,
});
export type UndoAnswer = z.infer<typeof undoAnswer>;
