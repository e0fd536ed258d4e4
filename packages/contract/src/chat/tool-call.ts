import { recordId } from '../base/common.ts';
import { z } from 'zod';
import { evaluation } from '../extractions/evaluations.ts';
import { groundingBox } from '../extractions/grounding.ts';
import { planReference, planSlot } from './plan.ts';
import { callProvenance } from './provenance.ts';

/** What a tool does to the world: nothing, or something that wants approval. */
export const toolEffect = z.enum(['read_only', 'read_write']);
export type ToolEffect = z.infer<typeof toolEffect>;

/** A call as answers carry it; `arguments` is always a JSON string. */
export const toolCall = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.string(),
  ...callProvenance,
  /** The step of an approved plan that let it run. */
  plan: planReference.optional(),
});
export type ToolCall = z.infer<typeof toolCall>;

/** What is known of the effect of a call on verified results. */
export const callEvaluation = z.object({
  /** Documents that it can be measured on; of a schema, of all its prompts together. */
  verified_documents: z.number().int(),
  spu_estimated: z.number().int(),
  /** The newest measurement of this call; of a schema that of its first prompt. */
  evaluation: evaluation.optional(),
  /** Of a schema: one for each prompt that is linked to it. */
  evaluations: z.array(z.object({ prompt_id: recordId, evaluation })).optional(),
  /** The prompt, the schema, the model or the verified results have changed since it was measured. */
  stale: z.literal(true).optional(),
});
export type CallEvaluation = z.infer<typeof callEvaluation>;

/** What one call would change, in a form a person can judge. */
const callPreviews = [
  /** A new thing; `collides_with` names an existing one of the same name. */
  z.object({
    kind: z.literal('create'),
    collides_with: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  /** `before` and `after` as text, to be shown as a difference. */
  z.object({
    kind: z.literal('difference'),
    title: z.string(),
    before: z.string(),
    after: z.string(),
    evaluation: callEvaluation.optional(),
  }),
  /** One value, with its place on the page as boxes in fractions 0–1. */
  z.object({
    kind: z.literal('field'),
    path: z.string(),
    old_value: z.unknown(),
    new_value: z.unknown(),
    page_num: z.number().int().nullable(),
    boxes: z.array(groundingBox).optional(),
  }),
  /** What else depends on the thing that would go. */
  z.object({
    kind: z.literal('delete'),
    name: z.string(),
    dependents: z.array(z.object({ kind: z.string(), id: z.string(), name: z.string() })),
    /** How many there are; `dependents` holds at most 50. */
    dependent_count: z.number().int().optional(),
  }),
  /** A person's work on a result that a new extraction would replace. */
  z.object({
    kind: z.literal('replace'),
    /** Of the result that would be replaced; it stays among the result's versions. */
    version: z.number().int(),
    is_verified: z.boolean(),
    is_edited: z.boolean(),
    /** How many values the result has, and how many of them a person has changed. */
    value_count: z.number().int(),
    edited_count: z.number().int(),
    /** At most 50. */
    edited_values: z.array(z.object({ path: z.string(), original_value: z.unknown(), edited_value: z.unknown() })),
    /** What the new extraction costs more than usual, as a sentence. */
    cost: z.string().optional(),
  }),
  /** What a call costs more than usual, as a sentence. */
  z.object({
    kind: z.literal('cost'),
    message: z.string(),
    /** To the model, for a document that takes more than one. */
    requests: z.number().int().optional(),
  }),
] as const;

/** A step of a plan as its card shows it, as far as it can be known. */
export const planStepPreview = z.object({
  id: z.string(),
  tool: z.string(),
  effect: toolEffect,
  summary: z.string(),
  why: z.string(),
  /** A JSON string, its open places as slots. */
  arguments: z.string(),
  /** The steps whose results it is filled with: it is struck with them. */
  needs: z.array(z.string()),
  open: z.array(planSlot),
  /** Absent while open places decide what the step would change. */
  preview: z.discriminatedUnion('kind', callPreviews).optional(),
  ...callProvenance,
});
export type PlanStepPreview = z.infer<typeof planStepPreview>;

/** What would change: by one call, or by all steps of a plan in their order. */
export const preview = z.discriminatedUnion('kind', [
  ...callPreviews,
  z.object({ kind: z.literal('plan'), title: z.string(), steps: z.array(planStepPreview) }),
]);
export type Preview = z.infer<typeof preview>;

/** A call that stands in a batch, before it is decided. */
export const proposedCall = toolCall.extend({
  effect: toolEffect,
  /** In words, for a person. */
  summary: z.string(),
  needs_approval: z.boolean(),
  preview: preview.optional(),
});
export type ProposedCall = z.infer<typeof proposedCall>;

/** A call after it ran or was refused: `result` when `success`, else `error`. */
export const executedCall = toolCall.extend({
  success: z.boolean(),
  result: z.unknown().optional(),
  error: z.string().optional(),
});
export type ExecutedCall = z.infer<typeof executedCall>;

export const toolList = z.object({
  read_only: z.array(z.string()),
  read_write: z.array(z.string()),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      effect: toolEffect,
      parameters: z.record(z.string(), z.unknown()),
    }),
  ),
});
