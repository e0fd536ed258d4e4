import { z } from 'zod';
import { recordId } from '../base/fields.ts';

export const budgetPeriod = z.enum(['total', 'month']);
export type BudgetPeriod = z.infer<typeof budgetPeriod>;

/** The limit of an organization's service processing units, in total or for each calendar month (UTC). null: no limit. */
export const budget = z.object({
  spu_limit: z.number().int().min(0).max(1_000_000_000).nullable(),
  period: budgetPeriod,
});
export type Budget = z.infer<typeof budget>;

const spent = z.object({
  spu: z.number().int(),
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  /** The prompt tokens that endpoints had cached, if they report them. */
  cached_tokens: z.number().int().optional(),
  calls: z.number().int(),
});
export type Spent = z.infer<typeof spent>;

export const organizationUsage = z.object({
  /** The remaining units; null without a limit. */
  spu_balance: z.number().int().nullable(),
  /** In the budget's period. */
  spu_used: z.number().int(),
  spu_limit: z.number().int().nullable(),
  period: budgetPeriod,
  /** Oldest first; days in UTC. */
  by_day: z.array(spent.extend({ day: z.string().meta({ format: 'date' }) })),
  /** Most used first. */
  by_model: z.array(spent.extend({ model: z.string() })),
  by_thread: z.array(spent.extend({ thread_id: recordId })),
});
export type OrganizationUsage = z.infer<typeof organizationUsage>;
