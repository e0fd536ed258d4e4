import { z } from 'zod';
import { recordId } from '../base/fields.ts';
import { evaluation } from '../extractions/evaluations.ts';
import { groundingBox } from '../extractions/grounding.ts';
import { schemaUser } from '../schemas/schemas.ts';
import { planReference, planSlot } from './plan.ts';
import { callProvenance } from './provenance.ts';

/** Whether a tool only reads, or writes and therefore needs approval. */
export const toolEffect = z.enum(['read_only', 'read_write']);
export type ToolEffect = z.infer<typeof toolEffect>;

/** A call in answers. `arguments` is always a JSON string. */
export const toolCall = z.object({
  id: z.string(),
  name: z.string(),
  arguments: z.string(),
  /** The model's JSON of the arguments was not valid and has been repaired. */
  repaired: z.literal(true).optional(),
  ...callProvenance,
  /** The step of an approved plan that covers the call. */
  plan: planReference.optional(),
});
export type ToolCall = z.infer<typeof toolCall>;

/** The measured effect of a call on verified results. */
export const callEvaluation = z.object({
  /** Number of documents for a measurement; for a schema, those of all its prompts. */
  verified_documents: z.number().int(),
  spu_estimated: z.number().int(),
  /** The newest measurement of this call; for a schema, that of its first prompt. */
  evaluation: evaluation.optional(),
  /** For a schema: one measurement for each linked prompt. */
  evaluations: z.array(z.object({ prompt_id: recordId, evaluation })).optional(),
  /** The prompt, the schema, the model or the verified results have changed since the measurement. */
  stale: z.literal(true).optional(),
});
export type CallEvaluation = z.infer<typeof callEvaluation>;

/** Previews of the change that a call would make, for users. */
const callPreviews = [
  /** A new object; `collides_with` lists existing ones with the same name. */
  z.object({
    kind: z.literal('create'),
    collides_with: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
  /** Two texts to show as a difference. */
  z.object({
    kind: z.literal('difference'),
    title: z.string(),
    before: z.string(),
    after: z.string(),
    evaluation: callEvaluation.optional(),
    /** Of a change of a schema's fields: the prompts that use it, and whether the call moves them to the new version. */
    schema_use: z
      .object({
        prompts: z.array(schemaUser.pick({ prompt_id: true, name: true, schema_version: true, documents: true })),
        moves_prompts: z.boolean(),
      })
      .optional(),
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
  /** The objects that depend on the deleted one. */
  z.object({
    kind: z.literal('delete'),
    name: z.string(),
    dependents: z.array(z.object({ kind: z.string(), id: z.string(), name: z.string() })),
    /** Total number of dependents; `dependents` has at most 50. */
    dependent_count: z.number().int().optional(),
  }),
  /** A reviewed result that a new extraction would replace. */
  z.object({
    kind: z.literal('replace'),
    /** The version of the replaced result, which stays available. */
    version: z.number().int(),
    is_verified: z.boolean(),
    is_edited: z.boolean(),
    /** Number of values, and of values that a user changed. */
    value_count: z.number().int(),
    edited_count: z.number().int(),
    /** At most 50. */
    edited_values: z.array(z.object({ path: z.string(), original_value: z.unknown(), edited_value: z.unknown() })),
    /** A sentence about unusual costs of the new extraction. */
    cost: z.string().optional(),
  }),
  /** A sentence about unusual costs of the call. */
  z.object({
    kind: z.literal('cost'),
    message: z.string(),
    /** Number of model requests, if more than one. */
    requests: z.number().int().optional(),
  }),
] as const;

/** A step of a plan on the approval card. */
export const planStepPreview = z.object({
  id: z.string(),
  tool: z.string(),
  effect: toolEffect,
  summary: z.string(),
  why: z.string(),
  /** A JSON string; open places are slots. */
  arguments: z.string(),
  /** The steps whose results the step uses. If one of them is removed, this step is removed too. */
  needs: z.array(z.string()),
  open: z.array(planSlot),
  /** Absent if the step has open places. */
  preview: z.discriminatedUnion('kind', callPreviews).optional(),
  ...callProvenance,
});
export type PlanStepPreview = z.infer<typeof planStepPreview>;

/** The preview of a call, or of all steps of a plan in order. */
export const preview = z.discriminatedUnion('kind', [
  ...callPreviews,
  z.object({ kind: z.literal('plan'), title: z.string(), steps: z.array(planStepPreview) }),
]);
export type Preview = z.infer<typeof preview>;

/** A call of a batch, before it is decided. */
export const proposedCall = toolCall.extend({
  effect: toolEffect,
  /** A sentence for users. */
  summary: z.string(),
  needs_approval: z.boolean(),
  preview: preview.optional(),
});
export type ProposedCall = z.infer<typeof proposedCall>;

/** A call after it ran or was refused: `result` after a success, otherwise `error`. */
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
