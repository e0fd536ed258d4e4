import { z } from 'zod';
import { recordId, seenFields } from '../base/fields.ts';

export const budgetPeriod = z.enum(['total', 'month']);
export type BudgetPeriod = z.infer<typeof budgetPeriod>;

/** An amount of money in millionths of the currency's unit: 1,500,000 with `USD` is $1.50. */
const micros = z.number().int().min(0).max(1_000_000_000_000_000);
const currency = z.string().meta({ examples: ['USD'] });

/**
 * The limits of an organization's model calls, in service processing units and in money, in total or for each calendar
 * month (UTC). null: no limit.
 */
export const storedBudget = z.object({
  spu_limit: z.number().int().min(0).max(1_000_000_000).nullable(),
  /** In the currency of the price table. */
  cost_limit_micros: micros.nullable(),
  period: budgetPeriod,
  currency,
});
export type StoredBudget = z.infer<typeof storedBudget>;

/** A change of a budget: what is left out stays. */
export const budgetChange = storedBudget.omit({ currency: true }).partial().extend({ seen: seenFields });
export type BudgetChange = z.infer<typeof budgetChange>;

/** What a million tokens cost, in units of the currency. */
const modelPrice = z.object({
  input: z.number(),
  /** Tokens that the endpoint had cached. */
  cached_input: z.number(),
  output: z.number(),
  /** The day on which the price was looked up, if the table says it. */
  as_of: z.string().meta({ format: 'date' }).optional(),
  /** Whether it is a built-in price, and not the operator's. */
  is_default: z.boolean(),
});
export type ModelPrice = z.infer<typeof modelPrice>;

const spent = z.object({
  spu: z.number().int(),
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  /** The prompt tokens that endpoints had cached, if they report them. */
  cached_tokens: z.number().int().optional(),
  calls: z.number().int(),
  /** What the calls with a known price cost, at the prices of their time. */
  cost_micros: z.number().int(),
  /** The calls without a known price; `cost_micros` lacks them. */
  unpriced_calls: z.number().int(),
});
export type Spent = z.infer<typeof spent>;

/** The name that the object has now; null if it was deleted. */
const name = z.string().nullable();

export const organizationUsage = z.object({
  /** The remaining units; null without a limit. */
  spu_balance: z.number().int().nullable(),
  /** In the budget's period. */
  spu_used: z.number().int(),
  spu_limit: z.number().int().nullable(),
  /** Of the price table; all amounts are in it. */
  currency,
  cost_balance_micros: z.number().int().nullable(),
  cost_used_micros: z.number().int(),
  cost_limit_micros: z.number().int().nullable(),
  /** The calls of the period without a known price: `cost_used_micros` lacks them. */
  unpriced_calls: z.number().int(),
  period: budgetPeriod,
  /** Files, their pages, versions of results and other records; with the trash, without indexes. */
  stored_bytes: z.number().int(),
  /** What the operator allows; null: no limit. */
  stored_bytes_limit: z.number().int().nullable(),
  /** Oldest first; days in UTC. */
  by_day: z.array(spent.extend({ day: z.string().meta({ format: 'date' }) })),
  /** Most used first; `price` is the current one, null if none is known. */
  by_model: z.array(spent.extend({ model: z.string(), price: modelPrice.nullable() })),
  by_thread: z.array(spent.extend({ thread_id: recordId })),
  by_user: z.array(spent.extend({ user_id: z.string(), name })),
  by_prompt: z.array(spent.extend({ prompt_id: recordId, name })),
  by_document: z.array(spent.extend({ document_id: recordId, name })),
  by_run: z.array(spent.extend({ run_id: recordId })),
});
export type OrganizationUsage = z.infer<typeof organizationUsage>;
