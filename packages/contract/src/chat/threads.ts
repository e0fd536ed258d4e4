import { z } from 'zod';
import { askCoverage, askScope, claim } from '../ask/claims.ts';
import { pageInfo, pageQuery, recordId, shownName, timestamp } from '../base/fields.ts';
import { reasoningLevel } from '../llm/model-dialect.ts';
import { usage } from '../extractions/extractions.ts';
import { mention } from './chat-body.ts';
import { toolCall } from './tool-call.ts';
import { turnAnswer, turnContext, turnError, turnStatus, workingState } from './turn-answer.ts';

export const threadTitle = shownName(200);

export const threadSummary = z.object({
  id: recordId,
  title: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  /** The model of the newest turn; absent before the first. */
  model: z.string().optional(),
  /** How much the model thinks in this thread, if it was chosen here. */
  reasoning: reasoningLevel.optional(),
});
export type ThreadSummary = z.infer<typeof threadSummary>;
export const threadListQuery = pageQuery.extend({ name_search: z.string().max(200).optional() });
export const threadList = pageInfo.extend({ threads: z.array(threadSummary) });

/** A stored message. A `tool` message carries the result of `tool_call_id` as JSON text. */
export const threadMessage = z.object({
  id: recordId,
  role: z.enum(['user', 'assistant', 'tool']),
  content: z.string(),
  thinking: z.string().optional(),
  /** How long the model thought, in milliseconds. */
  thinking_ms: z.number().int().optional(),
  tool_calls: z.array(toolCall).optional(),
  tool_call_id: z.string().optional(),
  success: z.boolean().optional(),
  mentions: z.array(mention).optional(),
  /** Of a question over many documents: what it was about. */
  scope: askScope.optional(),
  /** Of its answer: each sentence, checked against what it cites, and the documents that it covers. */
  claims: z.array(claim).optional(),
  coverage: askCoverage.optional(),
  created_at: timestamp,
});
export type ThreadMessage = z.infer<typeof threadMessage>;

/** The state of the newest turn of a thread. Every process can return it, also while another one runs the turn. */
export const latestTurn = z.object({
  turn_id: recordId,
  status: z.union([turnStatus, z.literal('running')]),
  /** Number of events at the turn's last pause or end. */
  event_count: z.number().int(),
  /** At the same time. */
  usage: usage.optional(),
  context: turnContext.optional(),
  /** The reason why it failed, or ended without a user's decision. */
  error: turnError.optional(),
});
export type LatestTurn = z.infer<typeof latestTurn>;
export const latestTurnAnswer = z.object({ latest_turn: latestTurn.nullable() });

export const thread = threadSummary.extend({
  /** The default model of the next turn. */
  model: z.string(),
  working_state: workingState,
  messages: z.array(threadMessage),
  /** The turn with a pending decision. */
  pending_turn: turnAnswer.optional(),
  /** The newest turn; absent before the first. */
  latest_turn: latestTurn.optional(),
});
export type Thread = z.infer<typeof thread>;

export const createThreadBody = z.object({ title: threadTitle.optional() });
export const createThreadAnswer = z.object({ thread_id: recordId });
export const patchThreadBody = z.object({ title: threadTitle });
