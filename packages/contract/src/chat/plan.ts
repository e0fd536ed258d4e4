import { z } from 'zod';

/** The state of a plan's step. `ended`: its grant ended because a step failed that another one needs. */
export const planStepState = z.enum(['waiting', 'skipped', 'running', 'done', 'failed', 'ended']);
export type PlanStepState = z.infer<typeof planStepState>;

/** The step of an approved plan that covers a call. `plan_id` is the id of the call that proposed the plan. */
export const planReference = z.object({ plan_id: z.string(), step_id: z.string() });
export type PlanReference = z.infer<typeof planReference>;

/** A place in a step's arguments that is filled later, with the result of an earlier step or by the model. */
export const planSlot = z.object({
  path: z.string(),
  /** The earlier step, and the dotted path in its result. */
  from: z.object({ step_id: z.string(), path: z.string() }).optional(),
  /** Maximum number of characters that the model can write. */
  max_length: z.number().int().optional(),
});
export type PlanSlot = z.infer<typeof planSlot>;

/** A user's decision on one step of a plan. Steps without a decision are approved unchanged. */
export const planStepDecision = z.object({
  id: z.string().max(100),
  /** False removes the step and the steps that need it. */
  approved: z.boolean(),
  /** Replaces the step's arguments: a JSON string, which can contain slots. */
  arguments: z.string().max(1_000_000).optional(),
});
export type PlanStepDecision = z.infer<typeof planStepDecision>;
