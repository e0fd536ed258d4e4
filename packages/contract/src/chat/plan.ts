import { z } from 'zod';

/** How a step of an approved plan stands. `ended`: its grant is gone, since a step that another one needs has failed. */
export const planStepState = z.enum(['waiting', 'skipped', 'running', 'done', 'failed', 'ended']);
export type PlanStepState = z.infer<typeof planStepState>;

/** Which step of which approved plan let a call run. `plan_id` is the id of the call that proposed the plan. */
export const planReference = z.object({ plan_id: z.string(), step_id: z.string() });
export type PlanReference = z.infer<typeof planReference>;

/** A place of a step's arguments that is filled later: with what an earlier step returns, or by the model. */
export const planSlot = z.object({
  path: z.string(),
  /** The step whose result it is, and the dotted path in that result. */
  from: z.object({ step_id: z.string(), path: z.string() }).optional(),
  /** Written by the model, at most so many characters. */
  max_length: z.number().int().optional(),
});
export type PlanSlot = z.infer<typeof planSlot>;

/** What a person decides about one step of a plan. Steps that are not named stay as they are. */
export const planStepDecision = z.object({
  id: z.string().max(100),
  /** False strikes the step, and with it those that need it. */
  approved: z.boolean(),
  /** Replaces the step's arguments: a JSON string, which may hold slots. */
  arguments: z.string().max(1_000_000).optional(),
});
export type PlanStepDecision = z.infer<typeof planStepDecision>;
