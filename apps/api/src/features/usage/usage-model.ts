import type { BudgetPeriod } from '@docwright/contract';
import { field, modelOf, recordSchema, type FieldsOf, type StoredRecord } from '../../platform/records/record-model.ts';

/** Usage counters; they only grow. */
const spent = {
  spu: field.number.default(0),
  prompt_tokens: field.number.default(0),
  completion_tokens: field.number.default(0),
  /** Part of the prompt tokens; absent if no call reported any. */
  cached_tokens: field.number.optional(),
  calls: field.number.default(0),
};

/** What calls with a known price cost, by currency: an operator can change it. */
const costs = {
  /** Millionths of the currency's unit. */
  costs: field.mixed<Record<string, number>>().optional(),
  /** How many calls had a price; the others, and all from before there were prices, had none. */
  priced: field.mixed<Record<string, number>>().optional(),
};

type SpentCounters = FieldsOf<typeof spent>;
type Costs = FieldsOf<typeof costs>;

/** What usage is summed by, beside days. */
const usageKinds = ['model', 'thread', 'user', 'prompt', 'document', 'run'] as const;
export type UsageKind = (typeof usageKinds)[number];

/**
 * The usage of one organization in one calendar month (UTC), with its days. The month and the day are counted in one
 * write. The budget is checked against it.
 */
const monthSchema = recordSchema(
  {
    organization_id: field.objectId,
    /** `2026-11` */
    month: field.text,
    spu: field.number.default(0),
    /** By `01` to `31`. */
    days: field.mixed<Record<string, SpentCounters & Costs>>().unchecked(),
    ...costs,
  },
  { collection: 'usage_months' },
);
monthSchema.index({ organization_id: 1, month: 1 }, { unique: true });

/** The usage of one model by one user on one day, in one thread and on one document, if any. */
const detailSchema = recordSchema(
  {
    organization_id: field.objectId,
    /** `2026-11-21` */
    day: field.text,
    model: field.text,
    user_id: field.text,
    thread_id: field.text.orNull(),
    document_id: field.text.orNull(),
    ...spent,
    /** The number of estimated calls. */
    estimated_calls: field.number.default(0),
  },
  { collection: 'usage_details' },
);
detailSchema.index(
  { organization_id: 1, day: 1, model: 1, user_id: 1, thread_id: 1, document_id: 1 },
  { unique: true },
);

/** The usage of one model, thread, user, prompt, document or run in one month, or of all time. */
export type UsageSumRecord = StoredRecord<typeof sumSchema>;

const sumSchema = recordSchema(
  {
    organization_id: field.objectId,
    /** `2026-11`, or `all`. */
    period: field.text,
    kind: field.oneOf<UsageKind>(),
    /** The model's name, or an id. */
    key: field.text,
    /** Of a thread: the user of its first call. */
    user_id: field.text.optional(),
    ...spent,
    ...costs,
  },
  { collection: 'usage_sums' },
);
sumSchema.index({ organization_id: 1, period: 1, kind: 1, key: 1 }, { unique: true });
sumSchema.index({ organization_id: 1, period: 1, kind: 1, spu: -1, key: 1 });
sumSchema.index({ organization_id: 1, period: 1, kind: 1, user_id: 1, spu: -1, key: 1 });

const budgetSchema = recordSchema(
  {
    organization_id: field.objectId,
    spu_limit: field.number.orNull(),
    /** Absent in older records. */
    cost_limit_micros: field.number.optionalOrNull(),
    /** Of the limit in money. */
    currency: field.text.optional(),
    period: field.oneOf<BudgetPeriod>(),
    updated_at: field.date,
    updated_by: field.text,
  },
  { collection: 'budgets' },
);
budgetSchema.index({ organization_id: 1 }, { unique: true });

export const usageMonthModel = modelOf('UsageMonth', monthSchema);
export const usageDetailModel = modelOf('UsageDetail', detailSchema);
export const usageSumModel = modelOf('UsageSum', sumSchema);
export type BudgetRecord = StoredRecord<typeof budgetSchema>;

export const budgetModel = modelOf('Budget', budgetSchema);
