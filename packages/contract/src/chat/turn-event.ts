import { z } from 'zod';
import { askCoverage, claim } from '../ask/claims.ts';
import { recordId } from '../base/fields.ts';
import { planStepState } from './plan.ts';
import { proposedCall } from './tool-call.ts';
import { turnAnswer } from './turn-answer.ts';

/** The events of a running turn. The SSE frame's `event` is the same name as `type`. */
export const turnEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('turn_started'),
    turn_id: recordId,
    thread_id: recordId,
    model: z.string(),
    /**
     * Another process resumed the turn: the events of its last, unexecuted round are void, and that round is emitted again.
     */
    resumed: z.literal(true).optional(),
  }),
  z.object({ type: z.literal('thinking_chunk'), chunk: z.string() }),
  z.object({
    type: z.literal('thinking_done'),
    full_text: z.string(),
    /** How long the model thought, in milliseconds. */
    duration_ms: z.number().int().optional(),
  }),
  z.object({ type: z.literal('assistant_text_chunk'), chunk: z.string() }),
  z.object({ type: z.literal('assistant_text_done'), full_text: z.string() }),
  z.object({
    type: z.literal('tool_calls'),
    round_index: z.number().int(),
    tool_calls: z.array(proposedCall),
  }),
  z.object({
    type: z.literal('tool_result'),
    round_index: z.number().int(),
    call_id: z.string(),
    name: z.string(),
    success: z.boolean(),
    result: z.unknown().optional(),
    error: z.string().optional(),
  }),
  /** A step of an approved plan: `plan_id` is the id of the call that proposed it. */
  z.object({
    type: z.literal('plan_step'),
    plan_id: z.string(),
    id: z.string(),
    state: planStepState,
    /** The call of the step, from `running` on. */
    call_id: z.string().optional(),
  }),
  z.object({ type: z.literal('round_executed'), round_index: z.number().int() }),
  z.object({
    type: z.literal('usage'),
    prompt_tokens: z.number().int(),
    completion_tokens: z.number().int(),
    /** The prompt tokens that the endpoint had cached, if it reports them. */
    cached_tokens: z.number().int().optional(),
    spu: z.number().int(),
    estimated: z.boolean(),
  }),
  /** The checked sentences of an answer over many documents, before `done`. */
  z.object({ type: z.literal('claims'), claims: z.array(claim), coverage: askCoverage.optional() }),
  z.object({ type: z.literal('done'), result: turnAnswer }),
  z.object({ type: z.literal('error'), code: z.string(), message: z.string() }),
]);
export type TurnEvent = z.infer<typeof turnEvent>;
